import { MintageError } from '@mintage/sdk';
import { wordsOf } from '../lib/wordsOf.ts';
import * as t from '../messages/en/common.ts';
import { Copy } from './Address.tsx';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';

/** What went wrong, in one sentence, what to do, and the id to ask about. The rest of the page stays. */
export const Problem = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const known = error instanceof MintageError ? error : null;
  return (
    <div className="note problem" data-tone="down" role="alert">
      <Icon name="alert" />
      <div className="grow">
        <p>{known === null ? `${t.wentWrong}.` : wordsOf(known)}</p>
        {known?.requestId && (
          <p className="hint row">
            {t.requestId} <span className="mono clip">{known.requestId}</span>
            <Copy text={known.requestId} label={t.copyRequestId} />
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button size="s" onClick={onRetry}>
          {t.tryAgain}
        </Button>
      )}
    </div>
  );
};
