import { store, stored } from '../../lib/storage.ts';
import { useStored } from '../../lib/useStored.ts';
import * as t from '../../messages/en/token.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** Ids of the tokens that this browser watches. */
const name = 'watched';

/** Keeps the token in this browser's own list. */
export const WatchButton = ({ id }: { id: string }) => {
  const isWatched = (useStored<string[]>(name) ?? []).includes(id);
  const toggle = (): void => {
    const others = (stored<string[]>(name) ?? []).filter((other) => other !== id);
    store(name, isWatched ? others : [...others, id]);
  };
  return (
    <Button
      isIcon
      className="watch"
      aria-pressed={isWatched}
      aria-label={t.token.watch}
      title={t.token.watch}
      onClick={toggle}
    >
      <Icon name="star" />
    </Button>
  );
};
