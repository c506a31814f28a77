import type { Address } from '@mintage/protocol';
import type { OpenCall, PreparedCall } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Executing } from './executing.ts';

/** Most open calls that are simulated again before a new one: more would slow every later call for little gain. */
const mostTried = 32;

/**
 * The wallet's calls that are queued or sent but not in this block, in order; the next call is simulated after them.
 * Empty when there are too many.
 *
 * @throws MintageError NETWORK_ERROR.
 */
export const openCalls = async (
  { db }: Executing,
  { chain, client }: ChainContext,
  wallet: Address,
  blockNumber: number,
): Promise<readonly PreparedCall[]> => {
  const rows = await db
    .selectFrom('intent_step as step')
    .innerJoin('intent', (join) =>
      join.onRef('intent.eid', '=', 'step.eid').onRef('intent.intent_id', '=', 'step.intent_id'),
    )
    .select(['step.to_address as to', 'step.value', 'step.data', 'step.nonce', 'step.hash', 'step.status'])
    .where('intent.eid', '=', chain.eid)
    .where('intent.wallet', '=', wallet)
    .where('intent.status', 'in', ['queued', 'signed'])
    .where('step.status', 'in', ['queued', 'sent', 'mined'])
    .orderBy('step.nonce', (order) => order.asc().nullsLast())
    .orderBy('intent.created_at')
    .orderBy('step.step')
    .limit(mostTried + 1)
    .$narrowType<Pick<OpenCall, 'status'>>()
    .execute();
  if (rows.length === 0 || rows.length > mostTried) return [];
  return client.notIn(blockNumber, wallet, rows);
};
