import { useState } from 'react';
import { short } from '../lib/format.ts';
import * as t from '../messages/en/common.ts';
import { Icon } from './icons.tsx';

/** An address or hash, short; the whole on hover. */
export const Address = ({ value }: { value: string }) => (
  <span className="mono nowrap" title={value}>
    {short(value)}
  </span>
);

/** Copies a text, and says so. */
export const Copy = ({ text, label }: { text: string; label: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" className="copy" aria-label={label} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="sr" role="status">
        {isCopied ? t.copied : ''}
      </span>
    </button>
  );
};
