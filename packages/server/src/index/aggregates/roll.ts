import type { Address } from '@mintage/protocol';
import type { Transaction } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';
import { moveEarners, takeBackEarners } from './earners.ts';
import { computeWindows, moveWindows, tokensMovedSince } from './windows.ts';

/**
 * Figures that change with time alone, without an event: the rolling windows of tokens and the earnings of the last
 * seven days. Both are computed at one block, `rolled`, which advances with each block near the head and stays while
 * far behind it.
 */

/**
 * Advances to a block whose rows are in the tables.
 *
 * @param indexed - Newest block before these.
 * @param created - Tokens of these blocks.
 */
export const rollForward = async (
  tx: Transaction<Database>,
  chain: ChainContext,
  { rolled, number: indexed }: { rolled: Moment | null; number: number },
  to: Moment,
  created: readonly Address[],
): Promise<void> => {
  if (rolled?.block === indexed) await moveWindows(tx, chain, rolled, to, created);
  else await computeWindows(tx, chain, to);
  await moveEarners(tx, chain, rolled, to);
  await standAt(tx, chain, to);
};

/**
 * Goes back to a block that is before `rolled`.
 *
 * @param undoRows - Undoes the rows of the blocks in between.
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

const standAt = async (tx: Transaction<Database>, { eid }: ChainContext, { block, time }: Moment): Promise<void> => {
  await tx.updateTable('chain').set({ rolled_block: block, rolled_time: time }).where('eid', '=', eid).execute();
};
