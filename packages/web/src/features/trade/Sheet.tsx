import { type ReactNode, useSyncExternalStore } from 'react';
import * as t from '../../messages/en/trade.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useModal } from '../../ui/useModal.ts';

const narrow = '(max-width: 56.25em)';

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Whether the box is a sheet here: on phones. */
export const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(narrow).matches,
    () => false,
  );

/** A sheet from below over the page. */
export const Sheet = ({ isOpen, onClose, children }: { isOpen: boolean; onClose(): void; children: ReactNode }) => {
  const modal = useModal(isOpen, onClose);
  return (
    <dialog {...modal} className="sheet" aria-label={t.trade.label}>
      {isOpen && (
        <div className="sheet-in">
          {children}
          <Button kind="bare" isIcon className="sheet-close" aria-label={t.close} onClick={onClose}>
            <Icon name="x" />
          </Button>
        </div>
      )}
    </dialog>
  );
};
