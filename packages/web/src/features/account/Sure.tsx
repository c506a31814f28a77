import { type ReactNode, useState } from 'react';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';

/** An act that cannot be taken back: it is asked once more in its place. */
export const Sure = ({ label, children, onSure }: { label: string; children: ReactNode; onSure(): void }) => {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <Button size="s" aria-label={label} onClick={() => setAsked(true)}>
        {children}
      </Button>
    );
  const act = (): void => {
    setAsked(false);
    onSure();
  };
  return (
    <span className="row">
      <Button size="s" kind="down" autoFocus aria-label={`${label}: ${t.account.sure}`} onClick={act}>
        {t.account.sure}
      </Button>
      <Button size="s" onClick={() => setAsked(false)}>
        {t.account.keep}
      </Button>
    </span>
  );
};
