import type { Random } from '@mintage/devnet/random';
import { type CurveState, curveOf, tokensFromUsdUp, usdForTokensUp } from '../src/maths/curve.ts';
import { buyFeeBps, grossOfNetUp, normalBps } from '../src/maths/fees.ts';
import { poolTypes } from '../src/maths/poolTypes.ts';
import { isBuy, type TradeOrder, tradeKinds } from '../src/maths/trade.ts';
import { onEvm } from './onEvm.ts';

export interface CurveCase {
  curve: CurveState;
  order: TradeOrder;
}

const tiny = [0n, 1n, 2n, 7n, 8n, 9n, 99n, 100n, 101n];

/** A reachable curve and any order on it: tiny, ordinary, at the end of the curve, beyond it. */
export const randomCurveCase = (random: Random): CurveCase => {
  const curve = randomCurve(random);
  const kind = random.pick(tradeKinds);
  const terms = {
    feeBps: isBuy(kind) && random.chance(2) ? buyFeeBps(BigInt(random.int(8))) : normalBps,
    builderBps: randomBuilderBps(random),
    hasReferral: random.chance(2),
    hasReferrer: random.chance(2),
  };
  return { curve, order: { kind, amount: randomAmount(random, curve, kind, terms), ...terms } };
};

const randomBuilderBps = (random: Random): bigint => {
  if (random.chance(2)) return 0n;
  if (random.chance(20)) return random.between(0n, 10_001n);
  return random.chance(20) ? random.between(9_890n, 9_901n) : random.between(1n, 300n);
};

const randomCurve = (random: Random): CurveState => {
  const poolType = random.pick(poolTypes);
  const usdDecimals = random.pick([6, 18]);
  const fresh = curveOf(poolType, onEvm(usdDecimals));
  const near = random.scaled(fresh.tokensLeft);
  const soldTokens = random.pick([
    0n,
    fresh.tokensLeft,
    near,
    fresh.tokensLeft - near,
    random.between(0n, fresh.tokensLeft),
  ]);
  // Rounding against traders leaves a little more than the formula's own cost.
  const reserveUsd = usdForTokensUp(fresh, soldTokens) + (random.chance(2) ? 0n : random.scaled(10n ** 6n));
  return curveOf(poolType, onEvm(usdDecimals), { tokensLeft: fresh.tokensLeft - soldTokens, reserveUsd });
};

const randomAmount = (
  random: Random,
  curve: CurveState,
  kind: TradeOrder['kind'],
  { feeBps, builderBps }: Pick<TradeOrder, 'feeBps' | 'builderBps'>,
): bigint => {
  if (random.chance(8)) return random.pick(tiny);
  const sumBps = feeBps + builderBps < 10_000n ? feeBps + builderBps : 9_999n;
  const ends = {
    buyExactIn: grossOfNetUp(usdForTokensUp(curve, curve.tokensLeft), sumBps),
    buyExactOut: curve.tokensLeft,
    sellExactIn: tokensFromUsdUp(curve, curve.reserveUsd),
    sellExactOut: curve.reserveUsd - (curve.reserveUsd * sumBps) / 10_000n,
  };
  const end = ends[kind];
  if (random.chance(6)) return nonNegative(end + random.between(-3n, 3n));
  if (random.chance(10)) return nonNegative(end) + random.scaled(10n ** 27n);
  return random.scaled(end + 1n);
};

const nonNegative = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
