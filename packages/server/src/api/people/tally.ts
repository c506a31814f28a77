import { sql } from 'kysely';
import type { TallyTable, Tx } from '../../db/serviceTables.ts';
import type { VoteTargets } from './voteCounts.ts';

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

/** Has lists order these by how people voted until now. Votes alone do not: three indexes hold the order, and a vote writes to none. */
export const rankByVotes = async (tx: Tx, targets: readonly VoteTargets[]): Promise<void> => {
  const pairs = targets.flatMap(({ type, ids }) => ids.map((id) => ({ type, id })));
  const voted = sql`unnest(${pairs.map(({ type }) => type)}::text[], ${pairs.map(({ id }) => id)}::uuid[])
    voted (target_type, target_id)`;
  await sql`select from tally join ${voted} using (target_type, target_id)
    order by target_type, target_id for no key update of tally`.execute(tx);
  await sql`update tally set ranked_usd18 = score_usd18, ranked_votes = upvotes - downvotes from ${voted}
    where tally.target_type = voted.target_type and tally.target_id = voted.target_id
      and (ranked_usd18, ranked_votes) <> (score_usd18, upvotes - downvotes)`.execute(tx);
};

/** With all votes on a post. The row in `tally` first: whoever changes a vote holds it. */
export const closeTally = async (tx: Tx, postId: string): Promise<void> => {
  for (const table of ['tally', 'vote'] as const)
    await tx.deleteFrom(table).where('target_type', '=', 'post').where('target_id', '=', postId).execute();
};
