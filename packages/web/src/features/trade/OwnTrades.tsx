import { tokenDecimalsOn } from '@mintage/protocol';
import { decimal, unitsToText } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { dropOwnTrade, type OwnTrade, useOwnTrades } from '../../lib/ownTrades.ts';
import * as t from '../../messages/en/trade.ts';
import { Button } from '../../ui/Button.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';

/** As long as this after it was sent a trade is listed in the box, milliseconds. */
const shownMs = 600_000;
const most = 3;

/** What became of the last own trades with a token: told to readers of screens as it changes. */
export const OwnTrades = ({ token, symbol, isBusy }: { token: string; symbol: string; isBusy: boolean }) => {
  const nowMs = useNow();
  const trades = useOwnTrades(token).filter(({ sentAtMs, status }) => status === 'asked' || nowMs - sentAtMs < shownMs);
  return (
    <div className="own" role="status" aria-label={t.trade.own.title}>
      {trades.length > 0 && (
        <ul>
          {trades.slice(0, most).map((trade) => (
            <Row key={trade.id} trade={trade} symbol={symbol} canDiscard={!isBusy} />
          ))}
        </ul>
      )}
    </div>
  );
};

const Row = ({ trade, symbol, canDiscard }: { trade: OwnTrade; symbol: string; canDiscard: boolean }) => {
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
      {status === 'asked' && trade.callKey === undefined && canDiscard && (
        <div className="whole">
          <p className="hint">{t.discardAsked}</p>
          <Button size="s" kind="bare" onClick={() => dropOwnTrade(trade.id)}>
            {t.discard}
          </Button>
        </div>
      )}
    </li>
  );
};

const stateOf = ({ status, blockNumber }: OwnTrade): string =>
  status === 'mined' && blockNumber !== null
    ? t.trade.own.block(decimal(String(blockNumber), 0))
    : t.trade.own.states[status];
