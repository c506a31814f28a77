import { tokenDecimalsOn } from '@mintage/protocol';
import type { TokenAbout } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { compact, unitsToText } from '../../lib/format.ts';
import { sameAddress } from '../../lib/onChain.ts';
import { useSentTrades } from '../../lib/ownTrades.ts';
import { chains } from '../../lib/queries.ts';
import { readOlderTrades, tokenFacts, tokenTrades } from '../../lib/tokenQueries.ts';
import type { Trade } from '../../lib/trades.ts';
import { useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/token.ts';
import { Address } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { Amount, Price } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { CreatorTag } from './CreatorTag.tsx';

/** The trades, newest first. While somebody is in the list, new ones wait above it. */
export const Trades = ({ about }: { about: TokenAbout }) => {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(tokenTrades(about.id));
  const { data: facts } = useQuery(tokenFacts(about.id));
  const { data: served } = useQuery(chains());
  const wallet = useWallet();
  const home = served?.chains.find(({ slug }) => slug === about.origin_chain);
  const hold = useHold(data?.rows ?? []);
  const [older, setOlder] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const readOlder = (): void => {
    setOlder({ isBusy: true, error: null });
    readOlderTrades(client, about.id).then(
      () => setOlder({ isBusy: false, error: null }),
      (problem: unknown) => setOlder({ isBusy: false, error: problem }),
    );
  };
  const dollar = home?.dollarToken.symbol ?? 'USD';
  return (
    <section className="card o5" aria-labelledby="trades" {...hold.area}>
      <div className="head">
        <h2 id="trades">{t.token.trades}</h2>
        {home?.indexed != null && (
          <span className="muted row small">
            <i className="dot" data-tone={home.status === 'live' ? 'up' : 'down'} />
            {t.token.block(home.indexed.toLocaleString('en-US'))}
          </span>
        )}
      </div>
      <div className="hold">
        {hold.waiting > 0 && (
          <button type="button" className="new" onClick={hold.show}>
            {t.token.newTrades(hold.waiting)}
          </button>
        )}
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Blocks count={6} height={44} />}
      {data?.rows.length === 0 && (
        <Empty>
          {t.token.noTrades} {t.token.beFirst}
        </Empty>
      )}
      {data !== undefined && data.rows.length > 0 && (
        // Wide on its own: the page never scrolls sideways.
        <div className="wide-table">
          <table className="data trades">
            <thead>
              <tr>
                <th>{t.token.time}</th>
                <th>{t.token.side}</th>
                <th className="right">{dollar}</th>
                <th className="right">{t.token.tokens}</th>
                <th className="right wide">{t.token.price}</th>
                <th className="right wide">{t.token.trader}</th>
                <th className="right">
                  <span className="sr">{t.token.proof}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              <Sent about={about} rows={data.rows} />
              {hold.rows.map((trade) => (
                <Row
                  key={trade.key}
                  trade={trade}
                  tokenId={about.id}
                  isCreator={sameAddress(trade.wallet, facts?.created.value?.creator)}
                  isOwn={sameAddress(trade.wallet, wallet?.address)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {older.error !== null && <Problem error={older.error} onRetry={readOlder} />}
      {data !== undefined && !data.isWhole && (
        <div className="more">
          <Button onClick={readOlder} disabled={older.isBusy}>
            {t.token.more}
          </Button>
        </div>
      )}
    </section>
  );
};

/** What this browser has sent and no row tells yet. */
const Sent = ({ about, rows }: { about: TokenAbout; rows: readonly Trade[] }) => {
  const home = about.token_addresses.find(({ chain }) => chain === about.origin_chain);
  const sent = useSentTrades(home?.address ?? '').filter(
    ({ status, hash }) => status === 'sent' && !rows.some((row) => row.hash === hash),
  );
  return sent.map((trade) => (
    <tr key={trade.id} data-own="">
      <td>
        <span className="tag">{t.token.sent}</span>
      </td>
      <td className={`way ${trade.side === 'buy' ? 'up' : 'down'}`}>
        {trade.side === 'buy' ? t.token.buy : t.token.sell}
      </td>
      <td className="right num">
        <Amount value={unitsToText(BigInt(trade.usdRaw), trade.usdDecimals)} isFixed />
      </td>
      <td className="right soft">
        <Tokens amount={unitsToText(BigInt(trade.tokensRaw), tokenDecimalsOn(trade.chainSlug))} />
      </td>
      <td className="right soft wide" />
      <td className="right wide">
        <span className="tag">{t.token.you}</span>
      </td>
      <td className="right">
        {trade.hash !== null && trade.hash !== '' && (
          <TransactionLink className="proof" chain={trade.chainSlug} hash={trade.hash} aria-label={t.token.transaction}>
            <Icon name="external" />
          </TransactionLink>
        )}
      </td>
    </tr>
  ));
};

/** In a few digits where there is no room for all. */
const Tokens = ({ amount }: { amount: string }) => (
  <>
    <span className="wide">
      <Amount value={amount} places={0} />
    </span>
    <span className="narrow" title={amount}>
      {compact(amount)}
    </span>
  </>
);

const Row = ({
  trade,
  tokenId,
  isCreator,
  isOwn,
}: {
  trade: Trade;
  tokenId: string;
  isCreator: boolean;
  isOwn: boolean;
}) => (
  <tr data-taken-back={trade.isTakenBack ? '' : undefined} data-own={isOwn ? '' : undefined}>
    <td className="muted">
      {trade.isTakenBack ? (
        <span className="tag">
          <span>
            {t.token.takenBack} <span className="wide">{t.token.takenBackBy}</span>
          </span>
        </span>
      ) : (
        <Ago at={trade.at} />
      )}
    </td>
    <td className={`way ${trade.side === 'buy' ? 'up' : 'down'}`}>
      {trade.side === 'buy' ? t.token.buy : t.token.sell}
    </td>
    <td className="right num">
      <Amount value={trade.usd} isFixed />
    </td>
    <td className="right soft">
      <Tokens amount={trade.tokens} />
    </td>
    <td className="right soft wide">
      <Price value={trade.price} />
    </td>
    <td className="right wide">
      {isOwn ? (
        <span className="tag">{t.token.you}</span>
      ) : isCreator ? (
        <CreatorTag tokenId={tokenId} wallet={trade.wallet} />
      ) : (
        <span className="soft">
          <Address value={trade.wallet} />
        </span>
      )}
    </td>
    <td className="right">
      <TransactionLink className="proof" chain={trade.chain} hash={trade.hash} aria-label={t.token.transaction}>
        <Icon name="external" />
      </TransactionLink>
    </td>
  </tr>
);

/** What is shown of a list whose beginning grows: while the pointer or the focus is in it, new rows wait. */
const useHold = (rows: readonly Trade[]) => {
  const [isIn, setIn] = useState({ pointer: false, focus: false });
  const shown = useRef<ReadonlySet<string> | null>(null);
  const [, draw] = useState(0);
  const isHeld = (isIn.pointer || isIn.focus) && shown.current !== null;
  const held = shown.current;
  const newest = rows.findIndex(({ key }) => held?.has(key));
  const waiting = isHeld && newest > 0 ? newest : 0;
  if (!isHeld) shown.current = new Set(rows.map(({ key }) => key));
  return {
    rows: rows.slice(waiting),
    waiting,
    show: (): void => {
      shown.current = new Set(rows.map(({ key }) => key));
      draw((count) => count + 1);
    },
    area: {
      onPointerEnter: (event: { pointerType: string }) =>
        event.pointerType === 'mouse' && setIn((now) => ({ ...now, pointer: true })),
      onPointerLeave: () => setIn((now) => ({ ...now, pointer: false })),
      onFocus: () => setIn((now) => ({ ...now, focus: true })),
      onBlur: () => setIn((now) => ({ ...now, focus: false })),
    },
  };
};
