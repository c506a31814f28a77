import { isBuy, type TradeKind } from '@mintage/protocol';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, percentOfBps, unitsToText } from '../../lib/format.ts';
import { isSolana } from '../../lib/onChain.ts';
import * as t from '../../messages/en/trade.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type Figures, lowestBps, mostGiven, type OpeningFee } from './figures.ts';
import type { Step } from './nextStep.ts';
import type { Holdings } from './payer.ts';
import type { Phase } from './useTrade.ts';
import { said, saidExactly, shown, type Units } from './words.ts';

/** Gas that an approval and a trade usually use. */
const usualGas = { approve: 50_000n, trade: 220_000n };
/** On Solana, lamports: for the signature, and what the account of who has none of the token yet holds from then on. */
const lamportsOf = { signature: 5_000n, account: 2_074_080n };

/** Of an own wallet, in the chain's coin; null: not known, or the service pays it from the wallet here. */
const networkFee = ({ chainSlug, holdings }: ActsProps, hasApproval: boolean, isBuying: boolean): Coins | null => {
  const { payer, gasPrice, token, coinSymbol: symbol } = holdings;
  if (symbol === null || payer.kind !== 'wallet') return null;
  if (isSolana(chainSlug)) {
    const opens = isBuying && token === 0n;
    return { units: lamportsOf.signature + (opens ? lamportsOf.account : 0n), decimals: 9, symbol };
  }
  if (gasPrice === null) return null;
  return { units: (usualGas.trade + (hasApproval ? usualGas.approve : 0n)) * gasPrice, decimals: 18, symbol };
};

interface Coins {
  units: bigint;
  decimals: number;
  symbol: string;
}

export interface ActsProps {
  kind: TradeKind;
  step: Step;
  phase: Phase;
  chainSlug: string;
  holdings: Holdings;
  units: Units;
  /** Of the order that the main button means. */
  figures: Figures | null;
  opening: OpeningFee | null;
  /** The figures of this moment, during the opening. */
  now: Figures | null;
  isWaiting: boolean;
  /** Why nothing can be traded now though everything else is there; null: it can. */
  hindered: string | null;
  /** Whether the chain gives test money. */
  isMintable: boolean;
  onStep(step: Step): void;
  onBuyNow(): void;
  onWait(): void;
  onStop(): void;
  onMint(): void;
  onDiscard(): void;
}

/** One button with the next step, and the way to the trade below it. */
export const Acts = (props: ActsProps) => {
  const { kind, step, phase, units, opening, now, isWaiting, hindered, isMintable, holdings } = props;
  const isBusy = phase.name !== 'idle';
  const isTrade = step === 'approve' || step === 'trade';
  const color = isBuy(kind) ? 'up' : 'down';
  const look = isTrade || step === 'amount' || step === 'short' ? color : 'ink';
  const given = isBuy(kind) ? 'usd' : 'token';
  const canMint = isMintable && isBuy(kind) && (step === 'short' || holdings.usd === 0n);
  if (isTrade && opening !== null && now !== null && !isBusy && hindered === null)
    return isWaiting ? (
      <>
        <Button kind={color} size="l" disabled>
          {t.trade.opening.waiting(percentOfBps(lowestBps), opening.secondsLeft)}
        </Button>
        <Button className="whole" onClick={props.onStop}>
          {t.trade.opening.stop}
        </Button>
      </>
    ) : (
      <>
        <Button kind={color} size="l" onClick={props.onWait}>
          {t.trade.opening.wait(percentOfBps(lowestBps))}
        </Button>
        <Button className="whole" onClick={props.onBuyNow}>
          {t.trade.opening.buyNow(
            shown(now.trade.fees.total, 'usd', units, 'most').text,
            said(shown(now.trade.grossUsd, 'usd', units, 'most')),
          )}
        </Button>
      </>
    );
  const isOff =
    isBusy ||
    isWaiting ||
    (isTrade && hindered !== null) ||
    step === 'amount' ||
    step === 'short' ||
    step === 'loading';
  return (
    <>
      <Button
        kind={look}
        size="l"
        disabled={isOff}
        aria-busy={isBusy}
        data-step={step}
        onClick={() => props.onStep(step)}
      >
        <span className="clip">
          {phase.name !== 'idle'
            ? t.trade.busy[phase.name]
            : isTrade && hindered !== null
              ? hindered
              : isWaiting
                ? t.trade.busy.preparing
                : label(props)}
        </span>
      </Button>
      {(phase.name === 'approving' || phase.name === 'trading') && (
        <>
          <p className="hint">{t.discardAsked}</p>
          <Button kind="bare" onClick={props.onDiscard}>
            {t.discard}
          </Button>
        </>
      )}
      {isWaiting && !isBusy && (
        <Button className="whole" onClick={props.onStop}>
          {t.trade.opening.stop}
        </Button>
      )}
      {canMint && !isBusy && (
        <Button className="whole" kind={step === 'short' ? 'ink' : 'quiet'} onClick={props.onMint}>
          {t.trade.testDollars}
        </Button>
      )}
      {isTrade && <Steps {...props} isBuying={given === 'usd'} />}
    </>
  );
};

const label = ({ kind, step, chainSlug, units, figures }: ActsProps): string => {
  switch (step) {
    case 'connect':
      return t.trade.connect.act;
    case 'signIn':
      return t.trade.act.signIn;
    case 'loading':
      return t.trade.act.loading;
    case 'switch':
      return t.trade.act.switch(chainName(chainSlug));
    case 'amount':
      return t.trade.act.noAmount;
    case 'short':
      return t.trade.act.short(units[isBuy(kind) ? 'usd' : 'token'].symbol);
    case 'approve':
      return figures === null
        ? ''
        : t.trade.act.approve(saidExactly(mostGiven(figures.order, figures.limit), 'usd', units));
    case 'trade':
      return figures === null ? '' : t.trade.act[kind](tradeAmount(kind, figures, units));
  }
};

/** What a trade is called by: what is bought at least, what is sold, or what was asked for exactly. */
const tradeAmount = (kind: TradeKind, { limit, order }: Figures, units: Units): string => {
  if (kind === 'buyExactIn') return said(shown(limit, 'token', units));
  if (kind === 'sellExactIn') return said(shown(order.amount, 'token', units));
  return saidExactly(order.amount, isBuy(kind) ? 'token' : 'usd', units);
};

const Steps = ({ isBuying, ...props }: ActsProps & { isBuying: boolean }) => {
  const { step, phase } = props;
  const hasApproval = step === 'approve' || phase.name === 'approving';
  const last = isBuying ? t.trade.steps.buy : t.trade.steps.sell;
  const isLast = !hasApproval || phase.name === 'trading' || phase.name === 'mining';
  const fee = networkFee(props, hasApproval, isBuying);
  return (
    <div className="steps">
      {hasApproval && (
        <>
          {isLast ? <span>1 {t.trade.steps.approve}</span> : <b>1 {t.trade.steps.approve}</b>}
          <Icon name="arrowRight" />
          {isLast ? <b>2 {last}</b> : <span>2 {last}</span>}
        </>
      )}
      {fee !== null && <span className="fee">{t.trade.network(coins(fee))}</span>}
    </div>
  );
};

/** With two of its digits. */
const coins = ({ units, decimals, symbol }: Coins): string => {
  const places = Math.max(2, decimals - units.toString().length + 2);
  return `${decimal(unitsToText(units, decimals), places)} ${symbol}`;
};
