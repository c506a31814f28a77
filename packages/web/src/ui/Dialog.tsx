import { type ReactNode, useEffect, useId, useRef } from 'react';
import * as t from '../messages/en/common.ts';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';

/** A dialog over the page; a sheet from below on phones. The browser keeps the focus in it, and Escape closes it. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = dialog;
    if (isOpen && !current?.open) current?.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  return (
    // A click beside the dialog is a click on the dialog itself: all of its surface is covered by its content. Keys have Escape.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {isOpen && (
        <div className="dialog-in">
          <div className="row between">
            <h2 id={titleId}>{title}</h2>
            <Button kind="bare" isIcon aria-label={t.close} onClick={onClose}>
              <Icon name="x" />
            </Button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
};
