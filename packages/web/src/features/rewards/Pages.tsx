import * as t from '../../messages/en/rewards.ts';
import { Button } from '../../ui/Button.tsx';

/** Rows on a page of a list. */
export const pageRows = 10;

/** How deep the service lists. */
const deepest = 10_000;

/** Leads to the older and newer rows of a list; nothing where one page has them all. */
export const Pages = ({ offset, all, onTurn }: { offset: number; all: number; onTurn(offset: number): void }) => {
  const next = offset + pageRows;
  if (all <= pageRows) return null;
  return (
    <div className="row between pages">
      <Button size="s" disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - pageRows))}>
        {t.rewards.newer}
      </Button>
      <span className="hint">{t.rewards.page(offset + 1, Math.min(all, next), all)}</span>
      <Button size="s" disabled={next >= Math.min(all, deepest)} onClick={() => onTurn(next)}>
        {t.rewards.older}
      </Button>
    </div>
  );
};
