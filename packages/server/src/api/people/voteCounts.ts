import { formatUnits, tokenDecimals } from '@mintage/protocol';
import type { VoteCount } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import type { Target } from './castVote.ts';

/** What a target counts for: nothing was voted on those that have no row. */
export interface Counts {
  upvotes: number;
  downvotes: number;
  /** Base units of the tokens that weigh the votes. */
  up_weight: bigint;
  down_weight: bigint;
  /** The caller's vote; null: none, or there is no caller. */
  is_up: boolean | null;
}

const nothing: Counts = { upvotes: 0, downvotes: 0, up_weight: 0n, down_weight: 0n, is_up: null };

/**
 * Votes on these targets of one type, and which of them the caller cast.
 *
 * @param caller - Id of a user; null: nobody.
 */
export const countsOf = async (
  db: Db,
  type: Target['type'],
  ids: readonly string[],
  caller: string | null,
): Promise<(id: string) => Counts> => {
  if (ids.length === 0) return () => nothing;
  const own: RawBuilder<boolean | null> =
    caller === null
      ? sql`null::boolean`
      : sql`(select is_up from vote where vote.target_type = tally.target_type and vote.target_id = tally.target_id
          and vote.user_id = ${caller})`;
  const rows = await db
    .selectFrom('tally')
    .select(['target_id', 'upvotes', 'downvotes', 'up_weight', 'down_weight', own.as('is_up')])
    .where('target_type', '=', type)
    .where(sql<boolean>`target_id = any(${[...ids]}::uuid[])`)
    .execute();
  const byId = new Map<string, Counts>(rows.map(({ target_id: id, ...counts }) => [id, counts]));
  return (id) => byId.get(id) ?? nothing;
};

export const wordOf = (isUp: boolean) => (isUp ? 'upvote' : 'downvote');

export const voteCount = ({ upvotes, downvotes, up_weight, down_weight, is_up }: Counts): VoteCount => ({
  upvotes,
  downvotes,
  weighted_upvotes: formatUnits(up_weight, tokenDecimals),
  weighted_downvotes: formatUnits(down_weight, tokenDecimals),
  user_vote: is_up === null ? null : wordOf(is_up),
});
