import type { Acknowledge } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { deadlineOf } from '../trade/terms.ts';
import { type Execution, execute, notExecuted, type PlannedTransaction } from './execute.ts';
import type { CallTerms, Executing } from './executing.ts';
import type { Sender } from './sender.ts';
import { tryCall } from './tryCall.ts';

/**
 * Simulates and executes one prepared transaction, for callers who set `execute`.
 *
 * @throws MintageError as `execute`, and the decoded reason when the simulation fails.
 */
export const executeIfAsked = async (
  context: Executing,
  served: ChainContext,
  sender: Sender,
  transaction: PlannedTransaction,
  call: CallTerms,
  acknowledge?: Acknowledge,
): Promise<Execution> => {
  if (!sender.executes) return notExecuted;
  const { to, data, value } = transaction;
  const { blockNumber: seenBlock } = await tryCall(context, served, sender.address, {
    to,
    data,
    value: BigInt(value),
  });
  const deadline = deadlineOf(undefined, { slug: served.chain.slug, blockTime: null, nowMs: context.now() });
  return execute(context, { served, sender, transactions: [transaction], deadline, acknowledge, seenBlock }, call);
};
