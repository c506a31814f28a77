import {
  buyFeeBps,
  curvePrice,
  isBuy,
  isExactIn,
  limitsOf,
  normalBps,
  type PricedOrder,
  type PricedState,
  poolPrice,
  priceImpactBpsUp,
  priceOrder,
  quotedFees,
  windowSeconds,
} from '@mintage/protocol';
import type { SplitPart } from '../../ui/Split.tsx';
import type { Terms } from './terms.ts';

/** From here on an impact is pointed out, and from here on it has to be acknowledged, basis points. */
export const noticeableImpactBps = 300;
export const largeImpactBps = 1_000;

const youngSeconds = 600;

/** The slippage that fits by itself, basis points: more while a token is young. */
export const automaticBps = (ageSeconds: number): number => (ageSeconds < youngSeconds ? 300 : 100);

export interface Named {
  /** A token referral other than the trader. */
  hasReferral: boolean;
  /** Somebody invited the trader. */
  hasReferrer: boolean;
}

/** What an order does at one state, as the contract computes it. Base units. */
export interface Figures extends PricedOrder {
  /** Least received where what is given is exact, most given where what is received is: as it is signed. */
  limit: bigint;
  /** The same without slippage. */
  about: bigint;
  impactBps: number;
}

/** @throws MintageError AMOUNT_TOO_SMALL, BEYOND_CURVE, BEYOND_RESERVE, PARTIAL_FILL. */
export const figuresOf = (state: PricedState, terms: Terms, slippageBps: number, named: Named): Figures => {
  const priced = priceOrder(state, { ...terms, builderBps: 0n, ...named });
  const { trade, at } = priced;
  return {
    ...priced,
    limit: limitsOf(trade, BigInt(slippageBps), null).ofTrade,
    about: isExactIn(terms.kind) ? trade.amountOut : trade.amountIn,
    impactBps: impactBps(at, trade),
  };
};

const impactBps = ({ curve, pool }: PricedState, trade: PricedOrder['trade']): number => {
  const before = curve !== null ? curvePrice(curve) : pool === null ? null : poolPrice(pool);
  return before === null ? 0 : Number(priceImpactBpsUp(before, trade));
};

/** Whether a limit is worse for the trader than the one that was shown. */
export const isWorse = ({ kind }: Terms, limit: bigint, shown: bigint): boolean =>
  isExactIn(kind) ? limit < shown : limit > shown;

/** What leaves the wallet at most. */
export const mostGiven = ({ kind, amount }: Terms, limit: bigint): bigint => (isExactIn(kind) ? amount : limit);

/** The opening fee now; null outside the window, and for sells. */
export interface OpeningFee {
  feeBps: number;
  /** Whole seconds of block time since the token was created. */
  ageSeconds: number;
  secondsLeft: number;
}

export const openingFeeOf = ({ curve, ageSeconds }: PricedState, side: 'buy' | 'sell'): OpeningFee | null => {
  const secondsLeft = Number(windowSeconds) - ageSeconds;
  if (curve === null || side === 'sell' || secondsLeft <= 0) return null;
  return { feeBps: Number(buyFeeBps(BigInt(ageSeconds))), ageSeconds, secondsLeft };
};

/** The same token once its window is over, everything else unchanged. */
export const afterWindow = (state: PricedState): PricedState => ({ ...state, ageSeconds: Number(windowSeconds) });

/** The fee by second of the window, basis points: 8000, 6684, … 100. */
export const stairs: readonly number[] = Array.from({ length: Number(windowSeconds) + 1 }, (_, second) =>
  Number(buyFeeBps(BigInt(second))),
);

/** The fee after the window. */
export const lowestBps = Number(normalBps);

/** How many times as good an order is after the window, in tenths, cut. */
export const timesAsGood = (now: Figures, later: Figures): number => {
  const [better, worse] = isExactIn(now.order.kind)
    ? [later.trade.amountOut, now.trade.amountOut]
    : [now.trade.amountIn, later.trade.amountIn];
  return worse === 0n ? 0 : Number((better * 10n) / worse) / 10;
};

type Part = (typeof quotedFees)[number]['part'];

export interface FeeShare {
  part: Part;
  role: SplitPart['role'];
  /** Base units of the chain's dollar. */
  amountUsd: bigint;
}

const roles: Readonly<Record<Part, SplitPart['role']>> = {
  creator: 'creator',
  builder: 'builder',
  referral: 'referral',
  referrer: 'builder',
  cashback: 'cashback',
  treasury: 'treasury',
  excess: 'treasury',
};

/** Who gets how much of the fee. A pool with a fee of its own keeps it, and what people earn comes out of the treasury's. */
export const feeShares = ({ trade, rewards }: Figures): FeeShare[] =>
  quotedFees.flatMap(({ part }) => {
    const amountUsd =
      trade.fees[part] + (rewards !== null && part in rewards ? rewards[part as keyof typeof rewards] : 0n);
    return amountUsd === 0n ? [] : [{ part, role: roles[part], amountUsd }];
  });

/** The whole fee: of dollars, or of what goes into a pool that keeps its own. */
export const feeOf = ({ trade, tierFeeIn, order }: Figures): { amount: bigint; isTokens: boolean } =>
  tierFeeIn === null
    ? { amount: trade.fees.total, isTokens: false }
    : { amount: tierFeeIn, isTokens: !isBuy(order.kind) };
