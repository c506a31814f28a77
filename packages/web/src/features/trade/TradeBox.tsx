import { isBuy } from '@mintage/protocol';
import type { TokenAbout } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { amountProblem } from '../../lib/amounts.ts';
import { apiOf } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { connection } from '../../lib/connection.ts';
import { percentOfBps } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { keyOf } from '../../lib/onChain.ts';
import { chains } from '../../lib/queries.ts';
import { offerSecondWay } from '../../lib/secondWay.ts';
import { ownKey } from '../../lib/session.ts';
import { canPayOn, connect, useWallet, useWallets } from '../../lib/wallet.ts';
import * as t from '../../messages/en/trade.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Acts } from './Acts.tsx';
import { AmountField } from './AmountField.tsx';
import { type Figures, largeImpactBps, lowestBps, timesAsGood } from './figures.ts';
import { useFollowTrades } from './followTrades.ts';
import { Least } from './Least.tsx';
import { CurveEnd, Lines } from './Lines.tsx';
import { type Market, type Traded, useMarket } from './market.ts';
import { nextStep, type Step } from './nextStep.ts';
import { OpeningFee } from './OpeningFee.tsx';
import { OwnTrades } from './OwnTrades.tsx';
import { type Payer, useHoldings } from './payer.ts';
import { useReferral } from './referral.ts';
import { Sheet, useIsNarrow } from './Sheet.tsx';
import { sentenceOf, Trouble } from './Trouble.tsx';
import { limitIsTokens, type Side } from './terms.ts';
import { useKeys } from './useKeys.ts';
import { decimalsOf, type Form, type Order, useFigures, useForm } from './useOrder.ts';
import { type Agreed, mintHere, useTrade } from './useTrade.ts';
import { WalletChoice } from './WalletChoice.tsx';
import { said, saidExactly, shown, type Units, unitsOf } from './words.ts';
import './trade.css';

export interface TradeBoxProps {
  /** What is known of the token, by a search or a list. */
  about: Pick<TokenAbout, 'id' | 'symbol' | 'logo' | 'token_addresses'>;
  /** Where it is traded: its home chain. */
  chainSlug: Traded['chainSlug'];
}

/** Buys and sells a token: beside the page, and as a sheet from below on phones. */
export const TradeBox = ({ about, chainSlug }: TradeBoxProps) => {
  const address = keyOf(about.token_addresses.find(({ chain }) => chain === chainSlug)?.address ?? '');
  const token: Traded = { id: about.id, symbol: about.symbol, address, chainSlug };
  const box = useBox(token);
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const open = (side: Side): void => {
    box.turn(side);
    setOpen(true);
  };
  const field = useRef<HTMLInputElement>(null);
  const begin = (side: Side): void => {
    open(side);
    // A sheet is there a moment later.
    requestAnimationFrame(() => field.current?.focus());
  };
  useKeys({ b: () => begin('buy'), s: () => begin('sell'), Escape: () => box.calm() });
  const form = <Box token={token} picture={about.logo} box={box} field={field} />;
  return (
    <>
      {isNarrow ? (
        <Sheet isOpen={isOpen} onClose={() => setOpen(false)}>
          {form}
        </Sheet>
      ) : (
        <section className="card trade beside" aria-label={t.trade.label}>
          {form}
        </section>
      )}
      <div className="mine">
        <Button kind="down" size="l" aria-haspopup="dialog" onClick={() => open('sell')}>
          {t.trade.sell}
        </Button>
        <Button kind="up" size="l" aria-haspopup="dialog" onClick={() => open('buy')}>
          {t.trade.buy}
        </Button>
      </div>
    </>
  );
};

/** Trading is off once the service was away for so long, milliseconds. */
const offAfterMs = 15_000;
/** A price may be so much older than it is good for while a new one is asked for, seconds. */
const graceSeconds = 5;

const hindranceOf = (market: Market, lostForMs: number, isAccepted: boolean, impactBps: number): string | null => {
  if (lostForMs > offAfterMs) return t.trade.act.offline;
  if (market.ageSeconds > market.lifetimeSeconds + graceSeconds) return t.trade.act.unpriced;
  return impactBps >= largeImpactBps && !isAccepted ? t.trade.act.agree : null;
};

const figuresIn = (order: Order | null): Figures | null =>
  order !== null && 'figures' in order ? order.figures : null;

/** All that the box knows and does; it stays while the sheet is closed. */
const useBox = (token: Traded) => {
  const client = useQueryClient();
  const { data } = useQuery(chains());
  const chain = data?.chains.find(({ slug }) => slug === token.chainSlug);
  const { form, change, clear, turn } = useForm();
  const market = useMarket(token, chain, form.side);
  const holdings = useHoldings(token, chain);
  const { payer } = holdings;
  const buyer = 'address' in payer ? payer.address : null;
  const referral = useReferral(token.address, token.chainSlug, buyer);
  const named = { hasReferral: referral !== null, hasReferrer: holdings.hasReferrer };
  const order = useFigures(form, market, decimalsOf(token, chain), named);
  const trading = useTrade(token, chain);
  const wallets = useWallets().filter((one) => canPayOn(one, token.chainSlug));
  const [isChoosing, setChoosing] = useState(false);
  const [isAccepted, setAccepted] = useState(false);
  /** Who buys what, once the opening is over. */
  const [waiting, setWaiting] = useState<{ agreed: Agreed; buyer: string } | null>(null);
  useFollowTrades(token.address, token.id);

  const now = figuresIn(order.now);
  const counted = order.later === null ? now : figuresIn(order.later);
  const lostAtMs = useSyncExternalStore(connection.subscribe, connection.lostAtMs, () => null);
  const nowMs = useNow();
  const lostForMs = lostAtMs === null ? 0 : nowMs - lostAtMs;
  const hindered = hindranceOf(market, lostForMs, isAccepted, counted?.impactBps ?? 0);
  const step = nextStep(holdings, chain?.chainId, counted && { terms: counted.order, limit: counted.limit });

  const agreedBy = ({ order: { kind, amount }, limit }: Figures): Agreed => ({
    terms: { kind, amount },
    text: form.text,
    limit,
    slippageBps: order.slippageBps,
    referral,
  });
  const tradeBy = async (agreed: Agreed): Promise<void> => {
    if (payer.kind === 'embedded') await offerSecondWay(client);
    if (payer.kind === 'wallet' || payer.kind === 'embedded')
      await trading.trade(agreed, payer, () => clear(agreed.terms.kind, agreed.text));
  };
  const isOver = waiting !== null && (!market.isOpening || waiting.buyer !== buyer);
  useEffect(() => {
    if (!isOver || waiting === null) return;
    setWaiting(null);
    // Somebody else pays now, who agreed to nothing.
    if (waiting.buyer === buyer) void tradeBy(waiting.agreed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the opening is over
  }, [isOver]);

  const connectBy = (detail: (typeof wallets)[number]): Promise<void> => {
    setChoosing(false);
    return trading.during('connecting', async () => void (await connect(detail)));
  };
  const take = (next: Step): void => {
    const [only, another] = wallets;
    if (next === 'connect' && only !== undefined && another === undefined) void connectBy(only);
    else if (next === 'connect') setChoosing(true);
    else if (next === 'signIn' && payer.kind === 'stranger')
      void trading.during('signingIn', async () => {
        const { signInWithWallet } = await import('../../lib/signIn.ts');
        await signInWithWallet(apiOf(client), payer.wallet);
      });
    else if (next === 'switch' && payer.kind === 'wallet' && payer.wallet.type === 'evm') {
      const { wallet } = payer;
      void trading.during('switching', async () => {
        const { switchHere } = await import('../../lib/signing.ts');
        await switchHere(apiOf(client), wallet, token.chainSlug);
      });
    } else if ((next === 'approve' || next === 'trade') && now !== null) void tradeBy(agreedBy(now));
  };
  /** Another order is meant. */
  const anew = (): void => {
    trading.forget();
    setAccepted(false);
    setWaiting(null);
  };
  return {
    chain,
    form,
    market,
    holdings,
    order,
    trading,
    now,
    counted,
    hindered,
    step,
    isChoosing,
    isAccepted,
    isWaiting: waiting !== null,
    setChoosing,
    setAccepted,
    connectBy,
    take,
    buyNow: () => now !== null && void tradeBy(agreedBy(now)),
    wait: () => {
      if (counted === null || buyer === null) return;
      setWaiting({ agreed: agreedBy(counted), buyer });
      // Now, not when the wait is over.
      if (payer.kind === 'embedded') void offerSecondWay(client);
    },
    mint: () => {
      if (payer.kind !== 'wallet' && payer.kind !== 'embedded') return;
      void trading.during('minting', async () => {
        await mintHere(apiOf(client), token, payer);
        await client.invalidateQueries({ queryKey: [ownKey] });
      });
    },
    change: (part: Parameters<typeof change>[0]): void => {
      anew();
      change(part);
    },
    turn: (side: Side): void => {
      if (side === form.side) return;
      anew();
      turn(side);
    },
    /** Escape: nothing is waited for, and nothing is said. */
    calm: (): void => {
      setWaiting(null);
      trading.forget();
    },
  };
};

type BoxState = ReturnType<typeof useBox>;

const Box = ({
  token,
  picture,
  box,
  field,
}: {
  token: Traded;
  picture: string | null;
  box: BoxState;
  field: RefObject<HTMLInputElement | null>;
}) => {
  const { chain, form, market, holdings, order, trading, now, counted } = box;
  const units = unitsOf(token, chain);
  const { kind, opening } = order;
  const hasOpened = useHasBeen(opening !== null);
  const sides = (['buy', 'sell'] as const).map((key) => ({ key, label: t.trade[key] }));
  return (
    <>
      <Tabs className="sides" label={t.trade.direction} tabs={sides} chosen={form.side} onChoose={box.turn} />
      {form.side === 'buy' && (opening !== null || hasOpened) && (
        <Opening opening={opening} now={now} later={counted} units={units} />
      )}
      <AmountField
        form={form}
        onChange={box.change}
        holdings={holdings}
        units={units}
        picture={picture}
        wrong={wrongIn(order.now, units, form)}
        field={field}
      />
      <Least
        kind={kind}
        figures={counted}
        now={now}
        opening={opening}
        market={market}
        phase={trading.phase}
        units={units}
      />
      {opening === null && (
        <Lines
          figures={counted}
          slippage={form.slippage}
          choices={order.choices}
          onSlippage={(slippage) => box.change({ slippage })}
          isAccepted={box.isAccepted}
          onAccept={box.setAccepted}
          units={units}
        />
      )}
      {counted !== null && <CurveEnd figures={counted} units={units} />}
      <OtherFamily chainSlug={token.chainSlug} payer={holdings.payer} onChoose={() => box.setChoosing(true)} />
      <Said box={box} units={units} />
      <Acts
        kind={kind}
        step={box.step}
        phase={trading.phase}
        chainSlug={token.chainSlug}
        holdings={holdings}
        units={units}
        figures={counted}
        opening={opening}
        now={now}
        isWaiting={box.isWaiting}
        hindered={box.hindered}
        isMintable={chain?.dollarToken.mintable ?? false}
        onStep={box.take}
        onBuyNow={box.buyNow}
        onWait={box.wait}
        onStop={box.calm}
        onMint={box.mint}
        onDiscard={trading.discard}
      />
      <OwnTrades token={token.address} symbol={token.symbol} isBusy={trading.phase.name !== 'idle'} />
      <WalletChoice
        chainSlug={token.chainSlug}
        isOpen={box.isChoosing}
        onClose={() => box.setChoosing(false)}
        onChoose={box.connectBy}
      />
    </>
  );
};

/** Whether something was the case since the page is there: what was shown then does not vanish under the fingers. */
const useHasBeen = (is: boolean): boolean => {
  const was = useRef(false);
  if (is) was.current = true;
  return was.current;
};

/** What is wrong with the amount, in a sentence; null: nothing. */
const wrongIn = (order: Order, units: Units, { unit, text }: Pick<Form, 'unit' | 'text'>): string | null => {
  if (order.terms === null) {
    if (order.wrong === 'none') return null;
    if (order.wrong === 'text') return amountProblem(text);
    return order.wrong === 'digits' ? t.trade.wrong.digits : t.trade.wrong.places(units[unit].decimals);
  }
  return order.figures === null && order.error !== null ? (sentenceOf(order.error) ?? String(order.error)) : null;
};

/** The opening fee with what waiting brings. */
const Opening = ({
  opening,
  now,
  later,
  units,
}: {
  opening: BoxState['order']['opening'];
  now: Figures | null;
  later: Figures | null;
  units: Units;
}) => {
  const words = t.trade.opening;
  const amount = now && saidExactly(now.order.amount, limitIsTokens(now.order.kind) ? 'usd' : 'token', units);
  return (
    <>
      <OpeningFee fee={opening}>
        <p>
          {opening !== null && now !== null && later !== null && (
            <>
              {limitIsTokens(now.order.kind) ? words.same(amount ?? '') : words.cheaper(amount ?? '')}
              <b>{words.times(timesAsGood(now, later).toFixed(1))}</b>
              {limitIsTokens(now.order.kind)
                ? words.inSeconds(opening.secondsLeft)
                : words.asIn(opening.secondsLeft)}{' '}
            </>
          )}
          {words.excess}
        </p>
      </OpeningFee>
      <HeardOnce opening={opening} />
    </>
  );
};

/** Readers of screens hear of the opening fee once, not at each step. */
const HeardOnce = ({ opening }: { opening: BoxState['order']['opening'] }) => {
  const [text, setText] = useState('');
  useEffect(() => {
    if (opening !== null)
      setText(t.trade.opening.heard(percentOfBps(opening.feeBps), percentOfBps(lowestBps), opening.secondsLeft));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);
  return (
    <p className="sr" role="status">
      {text}
    </p>
  );
};

/** The wallet that is here cannot pay on this chain: who pays instead, and which wallets could. */
const OtherFamily = ({ chainSlug, payer, onChoose }: { chainSlug: string; payer: Payer; onChoose(): void }) => {
  const wallet = useWallet();
  if (wallet === null || canPayOn(wallet, chainSlug)) return null;
  const words = t.trade.otherFamily;
  return (
    <div className="note" role="status">
      <Icon name="info" />
      <div className="stack">
        <p>
          {words.cannot(wallet.name, chainName(chainSlug))} {payer.kind === 'embedded' && words.here}
        </p>
        {payer.kind !== 'nobody' && (
          <Button size="s" onClick={onChoose}>
            {words.choose}
          </Button>
        )}
      </div>
    </div>
  );
};

/** What there is to say before the next press. */
const Said = ({ box, units }: { box: BoxState; units: Units }) => {
  const { halt, problem, isRefused } = box.trading;
  const { error, state, retry } = box.market;
  const moved = halt?.moved ?? null;
  const limitText = (limit: bigint, kind: Agreed['terms']['kind']): string =>
    said(
      shown(
        limit,
        limitIsTokens(kind) ? 'token' : 'usd',
        units,
        isBuy(kind) === limitIsTokens(kind) ? 'least' : 'most',
      ),
    );
  return (
    <>
      {error !== null && state === null && <Trouble error={error} onRetry={retry} />}
      {moved !== null && (
        <div className="note" role="alert">
          <Icon name="info" />
          <p>{t.trade.moved(limitText(moved.from, moved.terms.kind), limitText(moved.to, moved.terms.kind))}</p>
        </div>
      )}
      {halt?.warnings.map(({ code, sentence }) => (
        <div className="note" role="alert" key={code}>
          <Icon name="alert" />
          <p>{sentence}</p>
        </div>
      ))}
      {isRefused && (
        <div className="note" role="status">
          <Icon name="info" />
          <p>{t.trade.refused}</p>
        </div>
      )}
      {problem !== null && <Trouble error={problem} />}
    </>
  );
};
