import type { Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Hex, Moment } from '../events/log.ts';
import { moveEarners, takeBackEarners } from './earners.ts';
import { computeWindows, moveWindows, tokensMovedSince } from './windows.ts';

/**
 * What moves because time passes, also without an event: the windows of tokens and what was earned in the last seven
 * days. Both stand at one block, `rolled`, and are moved block by block near the head; far behind it not at all.
 */

/**
 * Moves on to a block whose rows are in the tables.
 *
 * @param indexed - Newest block before these.
 * @param created - Tokens of these blocks.
 */
export const rollForward = async (
  tx: Transaction<Database>,
  chain: ChainContext,
  { rolled, number: indexed }: { rolled: Moment | null; number: number },
  to: Moment,
  created: readonly Hex[],
): Promise<void> => {
  if (rolled?.block === indexed) await moveWindows(tx, chain, rolled, to, created);
  else await computeWindows(tx, chain, to);
  await moveEarners(tx, chain, rolled, to);
  await standAt(tx, chain, to);
};

/**
 * Goes back to a block that is before `rolled`.
 *
 * @param undoRows - Takes back the rows of the blocks between.
 */
export const rollBack = async (
  tx: Transaction<Database>,
  chain: ChainContext,
  rolled: Moment,
  to: Moment,
  undoRows: () => Promise<void>,
): Promise<void> => {
  const tokens = await tokensMovedSince(tx, chain, to, rolled);
  await takeBackEarners(tx, chain, rolled, to);
  await undoRows();
  await computeWindows(tx, chain, to, tokens);
  await standAt(tx, chain, to);
};

const standAt = async (
  tx: Transaction<Database>,
  { chainId }: ChainContext,
  { block, time }: Moment,
): Promise<void> => {
  await tx
    .updateTable('chain')
    .set({ rolled_block: block, rolled_time: time })
    .where('chain_id', '=', chainId)
    .execute();
};
