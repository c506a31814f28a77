import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import * as t from '../../messages/en/trade.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

const narrow = '(max-width: 900px)';

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

/** A sheet from below over the page. Escape, the phone's way back and a touch beside it close it. */
export const Sheet = ({ isOpen, onClose, children }: { isOpen: boolean; onClose(): void; children: ReactNode }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    if (isOpen && !current?.open) current?.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  return (
    // A click beside the sheet is a click on the dialog itself: all of its surface is covered. Keys have Escape.
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={t.trade.label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
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
