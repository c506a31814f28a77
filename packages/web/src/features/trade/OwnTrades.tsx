import { tokenDecimalsOn } from '@mintage/protocol';
import { decimal, unitsToText } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { type OwnTrade, useOwnTrades } from '../../lib/ownTrades.ts';
import * as t from '../../messages/en/trade.ts';
import { TransactionLink } from '../../ui/ChainLink.tsx';

/** As long as this after it was sent a trade is listed in the box, milliseconds. */
const shownMs = 600_000;
const most = 3;

/** What became of the last own trades with a token: told to readers of screens as it changes. */
export const OwnTrades = ({ token, symbol }: { token: string; symbol: string }) => {
  const nowMs = useNow();
  const trades = useOwnTrades(token).filter(({ sentAtMs }) => nowMs - sentAtMs < shownMs);
  return (
    <div className="own" role="status" aria-label={t.trade.own.title}>
      {trades.length > 0 && (
        <ul>
          {trades.slice(0, most).map((trade) => (
            <Row key={trade.id} trade={trade} symbol={symbol} />
          ))}
        </ul>
      )}
    </div>
  );
};

const Row = ({ trade, symbol }: { trade: OwnTrade; symbol: string }) => {
  const { side, status, hash, chainSlug } = trade;
  const text = t.trade.own[side](decimal(unitsToText(BigInt(trade.tokensRaw), tokenDecimalsOn(chainSlug)), 2), symbol);
  return (
    <li data-status={status}>
      {status === 'takenBack' || status === 'failed' || status === 'reverted' ? <s>{text}</s> : <span>{text}</span>}
      {hash === null || hash === '' ? (
        <span className="muted">{stateOf(trade)}</span>
      ) : (
        <TransactionLink className="link" chain={chainSlug} hash={hash}>
          {stateOf(trade)}
        </TransactionLink>
      )}
    </li>
  );
};

const stateOf = ({ status, blockNumber }: OwnTrade): string =>
  status === 'mined' && blockNumber !== null
    ? t.trade.own.block(decimal(String(blockNumber), 0))
    : t.trade.own.states[status];
