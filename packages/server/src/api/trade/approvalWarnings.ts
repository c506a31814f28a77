import { formatUnits } from '@mintage/protocol';
import type { Warning } from '@mintage/protocol/operations';
import type { PreparedOn, Step } from './prepareTrade.ts';

/**
 * Of the approval before the last step, without which that fails.
 *
 * @param allowance - Dollars that the Launchpad may take already, as the chain shows it; null: not read.
 */
export const approvalWarnings = (
  { deployment }: PreparedOn,
  steps: readonly Step[],
  allowance: bigint | null,
): Warning[] => {
  const needed = steps.find(({ approves }) => approves !== undefined)?.approves;
  if (needed === undefined || (allowance !== null && allowance >= needed)) return [];
  const { launchpad, usd, usdDecimals, usdSymbol } = deployment;
  const amount = (units: bigint): string => formatUnits(units, usdDecimals);
  const taken = (units: bigint): string =>
    `the launchpad ${launchpad} may take ${amount(units)} ${usdSymbol} (${usd}) of the wallet`;
  const approval = 'The first item of `transactions` approves exactly so much and goes before it.';
  return [
    allowance === null
      ? {
          code: 'ALLOWANCE_NOT_READ',
          sentence: `\`transaction\` alone fails unless ${taken(needed)} already, which was not read. ${approval}`,
        }
      : {
          code: 'ALLOWANCE_NEEDED',
          sentence: `\`transaction\` alone fails: ${taken(allowance)}, and ${amount(needed)} are needed. ${approval}`,
        },
  ];
};
