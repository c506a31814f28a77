import { moneyRaisedDown, poolTypeBySlug, wholePercentRaised } from '@mintage/protocol';
import type { CurveData, GetPoolDataAnswer } from '@mintage/sdk';
import { unitsOf18 } from './exact.ts';
import { unitsToText } from './format.ts';

/** How far a token is on its way to its pool, as people read it. */
export interface Raised {
  /** Whole, to the nearest; 100 only when everything is raised. */
  percent: number;
  /** With a part, for the length of a bar. */
  exactPercent: number;
  /** Dollars, decimal text. */
  raised: string;
  target: string;
  toGo: string;
  /** Dollars that the whole supply is worth when it graduates. */
  graduatesAt: number;
}

/** All chains' tokens and dollars are counted in this many decimals here. */
const decimals = 18;

export const raisedOf = ({
  poolType: slug,
  curve,
}: {
  poolType: GetPoolDataAnswer['data']['poolType'];
  curve: CurveData;
}): Raised => {
  const poolType = poolTypeBySlug(slug);
  const money = moneyRaisedDown(poolType, { token: decimals, usd: decimals }, unitsOf18(curve.soldTokens));
  const { raisedUsd, targetUsd } = money;
  const lastUsd = Number(poolType.virtualUsd + poolType.raiseUsd);
  const lastTokens = Number(poolType.virtualTokens - poolType.curveTokens);
  return {
    percent: wholePercentRaised(money),
    exactPercent: Number((raisedUsd * 10_000n) / targetUsd) / 100,
    raised: unitsToText(raisedUsd, decimals),
    target: unitsToText(targetUsd, decimals),
    toGo: unitsToText(targetUsd - raisedUsd, decimals),
    graduatesAt: (lastUsd / lastTokens) * 1_000_000_000,
  };
};
