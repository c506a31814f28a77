import { type ReactNode, useId } from 'react';
import * as t from '../messages/en/common.ts';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';
import { useModal } from './useModal.ts';

/** A dialog over the page; a sheet from below on phones. */
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
  const modal = useModal(isOpen, onClose);
  const titleId = useId();
  return (
    <dialog {...modal} className="dialog" aria-labelledby={titleId}>
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
