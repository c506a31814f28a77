import { MintageError } from '@mintage/protocol';
import type { Caller } from '../accounts/caller.ts';
import type { Executing } from './executing.ts';

/** Highest slippage for a credential with a budget, basis points: product.md, section 1, "Slippage". */
const mostAgentSlippageBps = 300;

/** @throws MintageError SLIPPAGE_TOO_HIGH when a credential with a budget executes with more. */
export const requireAgentSlippage = async (
  { db }: Executing,
  { credential }: Caller,
  slippageBps: number,
): Promise<void> => {
  if (credential === null || slippageBps <= mostAgentSlippageBps) return;
  const budget = await db
    .selectFrom('budget')
    .select('credential')
    .where('credential', '=', credential)
    .executeTakeFirst();
  if (budget === undefined) return;
  throw new MintageError(
    'SLIPPAGE_TOO_HIGH',
    `slippageBps: ${slippageBps} is more than ${mostAgentSlippageBps}, the most for a credential with a budget`,
    { details: [{ path: 'slippageBps', message: `must be at most ${mostAgentSlippageBps}` }] },
  );
};
