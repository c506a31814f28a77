import { MintageError } from '@mintage/sdk';
import * as t from '../messages/en/common.ts';
import { Copy } from './Address.tsx';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';

/** What went wrong, in one sentence, what to do, and the id to ask about. The rest of the page stays. */
export const Problem = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const known = error instanceof MintageError ? error : null;
  const sentence = known?.message ?? t.wentWrong;
  return (
    <div className="note" data-tone="down" role="alert">
      <Icon name="alert" />
      <div className="grow">
        <p>
          {sentence.replace(/\.?$/, '.')} {known?.kind.next}
        </p>
        {known?.requestId && (
          <p className="hint row">
            {t.requestId} <span className="mono">{known.requestId}</span>
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
