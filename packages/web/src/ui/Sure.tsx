import { type ReactNode, useState } from 'react';
import * as t from '../messages/en/common.ts';
import { Button } from './Button.tsx';

/** An act that cannot be taken back: it is asked once more in its place. */
export const Sure = ({
  label,
  kind = 'quiet',
  children,
  onSure,
}: {
  label: string;
  kind?: 'quiet' | 'bare';
  children: ReactNode;
  onSure(): void;
}) => {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <Button kind={kind} size="s" aria-label={label} onClick={() => setAsked(true)}>
        {children}
      </Button>
    );
  const act = (): void => {
    setAsked(false);
    onSure();
  };
  return (
    <span className="row">
      <Button size="s" kind="down" autoFocus aria-label={`${label}: ${t.sure}`} onClick={act}>
        {t.sure}
      </Button>
      <Button size="s" onClick={() => setAsked(false)}>
        {t.keep}
      </Button>
    </span>
  );
};
