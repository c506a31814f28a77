import { Link } from 'wouter';
import { decimal, unitsToText } from '../../lib/format.ts';
import { type OwnTrade, useOwnTrades } from '../../lib/ownTrades.ts';
import { useNow } from '../../lib/now.ts';
import { t } from '../../messages/t.ts';

/** As long as this after it was sent a trade is listed in the box, milliseconds. */
const shownMs = 600_000;
const most = 3;

/** What became of the last own trades with a token: told to readers of screens as it changes. */
export const OwnTrades = ({
  token,
  symbol,
  explorerUrl,
}: {
  token: string;
  symbol: string;
  /** Of the chain; null: it has none, and the app shows its transactions. */
  explorerUrl: string | null;
}) => {
  const nowMs = useNow();
  const trades = useOwnTrades(token).filter(({ sentAtMs }) => nowMs - sentAtMs < shownMs);
  return (
    <ul className="own" role="status" aria-label={t.trade.own.title}>
      {trades.slice(0, most).map((trade) => (
        <Row key={trade.id} trade={trade} symbol={symbol} explorerUrl={explorerUrl} />
      ))}
    </ul>
  );
};

const Row = ({ trade, symbol, explorerUrl }: { trade: OwnTrade; symbol: string; explorerUrl: string | null }) => {
  const { side, status, hash, chainSlug } = trade;
  const text = t.trade.own[side](decimal(unitsToText(BigInt(trade.tokensRaw), 18), 2), symbol);
  return (
    <li data-status={status}>
      {status === 'takenBack' || status === 'failed' || status === 'reverted' ? <s>{text}</s> : <span>{text}</span>}
      <State hash={hash} chainSlug={chainSlug} explorerUrl={explorerUrl}>
        {stateOf(trade)}
      </State>
    </li>
  );
};

/** Leads to the transaction, once there is one. */
const State = ({
  hash,
  chainSlug,
  explorerUrl,
  children,
}: {
  hash: string | null;
  chainSlug: string;
  explorerUrl: string | null;
  children: string;
}) => {
  if (hash === null || hash === '') return <span className="muted">{children}</span>;
  if (explorerUrl === null)
    return (
      <Link className="link" href={`/tx/${chainSlug}/${hash}`}>
        {children}
      </Link>
    );
  return (
    <a className="link" href={`${explorerUrl}/tx/${hash}`} target="_blank" rel="noopener">
      {children}
    </a>
  );
};

const stateOf = ({ status, blockNumber }: OwnTrade): string =>
  status === 'mined' && blockNumber !== null
    ? t.trade.own.block(decimal(String(blockNumber), 0))
    : t.trade.own.states[status];
