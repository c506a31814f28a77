import type { TallyTable, Tx } from '../../db/serviceTables.ts';

/** Where votes on a token or post are counted, from now on. */
export const openTally = async (
  tx: Tx,
  tally: Pick<TallyTable, 'target_type' | 'target_id' | 'token_id' | 'made_at'>,
): Promise<void> => {
  await tx
    .insertInto('tally')
    .values(tally)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** With all votes on a post. The row in `tally` first: whoever changes a vote holds it. */
export const closeTally = async (tx: Tx, postId: string): Promise<void> => {
  for (const table of ['tally', 'vote'] as const)
    await tx.deleteFrom(table).where('target_type', '=', 'post').where('target_id', '=', postId).execute();
};
