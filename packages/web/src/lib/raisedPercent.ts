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
