import { moneyRaisedDown, poolTypes } from '@mintage/protocol';
import type { TokenV2 } from '@mintage/sdk';

type Curve = Pick<TokenV2, 'launchpad_raised_usd' | 'launchpad_target_usd' | 'stage'>;

/** Money raised of the target, percent with its part; null: not known. */
export const raisedPercent = ({
  launchpad_raised_usd: raised,
  launchpad_target_usd: target,
  stage,
}: Curve): number | null => {
  if (stage === 'graduated') return 100;
  return raised === null || target === null ? null : (raised / target) * 100;
};

/** Whole, to the nearest; 100 only when everything is raised. */
export const wholePercent = (percent: number): number => (percent < 100 ? Math.min(99, Math.round(percent)) : 100);

/** Dollars that a curve with this target raised once it sold so many tokens. */
export const raisedBySold = (targetUsd: number, soldTokens: number): number | null => {
  const poolType = poolTypes.find(({ raiseUsd }) => Number(raiseUsd) === targetUsd);
  if (poolType === undefined) return null;
  const sold = BigInt(Math.round(soldTokens * 1e6)) * 10n ** 12n;
  const { raisedUsd } = moneyRaisedDown(poolType, 6, sold);
  return Number(raisedUsd) / 1e6;
};
