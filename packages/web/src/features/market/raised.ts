import { moneyRaisedDown, poolTypes } from '@mintage/protocol';

/** Whole, to the nearest; 100 only when everything is raised. */
export const wholePercent = (percent: number): number => (percent < 100 ? Math.min(99, Math.round(percent)) : 100);

/** Dollars that a curve with this target raised once it sold so many tokens. */
export const raisedBySold = (targetUsd: number, soldTokens: number): number | null => {
  const poolType = poolTypes.find(({ raiseUsd }) => Number(raiseUsd) === targetUsd);
  if (poolType === undefined) return null;
  const sold = BigInt(Math.round(soldTokens * 1e6));
  const { raisedUsd } = moneyRaisedDown(poolType, { token: 6, usd: 6 }, sold);
  return Number(raisedUsd) / 1e6;
};
