import { MintageError } from '@mintage/sdk';
import * as t from '../../messages/en/trade.ts';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';

const sentences: Readonly<Record<string, string>> = t.trade.errors;

/** What an error means for who trades; null: there is no sentence for it here. */
export const sentenceOf = (error: unknown): string | null =>
  error instanceof MintageError && Object.hasOwn(sentences, error.code) ? (sentences[error.code] ?? null) : null;

/** What went wrong with a trade, and what to do. */
export const Trouble = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const sentence = sentenceOf(error);
  if (sentence === null) return <Problem error={error} onRetry={onRetry} />;
  return (
    <div className="note" data-tone="down" role="alert">
      <Icon name="alert" />
      <p className="grow">{sentence}</p>
    </div>
  );
};
