import { lazy, Suspense, useState } from 'react';
import * as t from '../../messages/en/embed.ts';
import { Button } from '../../ui/Button.tsx';
import type { EmbedDialogProps } from './EmbedDialog.tsx';

/** Loaded by those who open it. */
const EmbedDialog = lazy(() => import('./EmbedDialog.tsx').then(({ EmbedDialog: dialog }) => ({ default: dialog })));

/** Opens what to copy for a page of one's own. */
export const EmbedButton = ({ token }: Pick<EmbedDialogProps, 'token'>) => {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const open = (): void => {
    setWanted(true);
    setOpen(true);
  };
  return (
    <>
      <Button className="embed-open" onClick={open}>
        {t.embed.open}
      </Button>
      {isWanted && (
        <Suspense fallback={null}>
          <EmbedDialog token={token} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
