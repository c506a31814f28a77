import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** What a `dialog` element is given, so that it is over the page while it is open. Its surface is all covered by its content. */
export interface Modal {
  ref: RefObject<HTMLDialogElement | null>;
  onClose(): void;
  onClick(event: MouseEvent<HTMLDialogElement>): void;
}

/** The browser keeps the focus in it; Escape, the phone's way back and a touch beside it close it. */
export const useModal = (isOpen: boolean, onClose: () => void): Modal => {
  const ref = useRef<HTMLDialogElement>(null);
  // Before anything is drawn: keys that follow at once are for the dialog.
  useLayoutEffect(() => {
    const { current } = ref;
    if (isOpen && !current?.open) current?.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  // A click beside it is a click on the dialog itself.
  return { ref, onClose, onClick: ({ target, currentTarget }) => target === currentTarget && onClose() };
};
