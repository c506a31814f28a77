import { useRef } from 'react';
import * as t from '../messages/en/common.ts';
import { Icon } from '../ui/icons.tsx';
import { Search } from './Search.tsx';

const id = 'search-sheet';

/** On phones the search opens below the bar; the browser opens and closes it, without scripts too. */
export const SearchSheet = () => {
  const sheet = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        className="btn narrow"
        data-kind="bare"
        data-icon=""
        aria-label={t.search.open}
        popoverTarget={id}
      >
        <Icon name="search" />
      </button>
      <div
        ref={sheet}
        id={id}
        className="search-sheet"
        popover="auto"
        onToggle={({ newState }) => {
          if (newState === 'open') sheet.current?.querySelector('input')?.focus();
        }}
      >
        <Search onDone={() => sheet.current?.hidePopover()} />
      </div>
    </>
  );
};
