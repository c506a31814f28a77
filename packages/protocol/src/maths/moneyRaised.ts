import type { Decimals } from './decimal.ts';
import type { PoolType } from './poolTypes.ts';
import { mulDivDown } from './rounding.ts';

/** How far a curve is on its way to its pool, base units of the chain's dollar token. */
export interface MoneyRaised {
  raisedUsd: bigint;
  /** What the curve raises in all. */
  targetUsd: bigint;
}

/**
 * What a curve has raised by the tokens it sold: `B − B₀` with `B = A₀·B₀ ÷ (A₀ − sold)`, rounded down. The curve itself
 * holds a few base units more, because it rounds every trade against the trader.
 *
 * @param soldTokens - Base units, from 0 to all that the curve sells.
 */
export const moneyRaisedDown = (poolType: PoolType, decimals: Decimals, soldTokens: bigint): MoneyRaised => {
  const usdUnit = 10n ** BigInt(decimals.usd);
  const virtualTokens = poolType.virtualTokens * 10n ** BigInt(decimals.token);
  return {
    raisedUsd: mulDivDown(poolType.virtualUsd * usdUnit, soldTokens, virtualTokens - soldTokens),
    targetUsd: poolType.raiseUsd * usdUnit,
  };
};

/** The percentage that people are shown, to the nearest whole one; 100 only once everything is raised. */
export const wholePercentRaised = ({ raisedUsd, targetUsd }: MoneyRaised): number => {
  const nearest = (200n * raisedUsd + targetUsd) / (2n * targetUsd);
  return Number(nearest === 100n && raisedUsd < targetUsd ? 99n : nearest);
};
