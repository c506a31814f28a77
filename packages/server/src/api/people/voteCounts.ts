import { type Eid, formatUnits, tokenDecimalsAt, units18 } from '@mintage/protocol';
import type { VoteCount } from '@mintage/protocol/operations';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';

/** Tokens or posts that people vote on. */
export interface VoteTargets {
  type: 'token' | 'post';
  ids: readonly string[];
}

/**
 * How people voted on each of these, by id, and how the caller did.
 *
 * @param callerId - Of a user; null: nobody.
 */
export const voteCounts = async (
  db: Db,
  { type, ids }: VoteTargets,
  callerId: string | null,
): Promise<{ of(id: string): VoteCount }> => {
  const own: RawBuilder<boolean | null> =
    callerId === null
      ? sql`null::boolean`
      : sql`(select is_up from vote where vote.target_type = tally.target_type and vote.target_id = tally.target_id
          and vote.user_id = ${callerId})`;
  const asked = db
    .selectFrom('tally')
    .select(['target_id', 'upvotes', 'downvotes', 'up_weight', 'down_weight', own.as('is_up')])
    .where('target_type', '=', type)
    .where(oneOf('target_id', [...new Set(ids)]));
  const rows = await prepared(db, asked);
  const counted = new Map(rows.map((row) => [row.target_id, row]));
  return {
    of(id) {
      const { upvotes = 0, downvotes = 0, up_weight = 0n, down_weight = 0n, is_up = null } = counted.get(id) ?? {};
      return {
        upvotes,
        downvotes,
        weighted_upvotes: formatUnits(up_weight, 18),
        weighted_downvotes: formatUnits(down_weight, 18),
        user_vote: is_up === null ? null : wordOf(is_up),
      };
    },
  };
};

/** Of rows of `vote`: a chain on which the voting token is, whose tokens have as many decimals as on its others; null where nothing weighs it. */
export const weighedAt = sql<Eid | null>`(select min(place.eid) from vote_place place where place.vote_id = vote.vote_id)`;

/** Whole voting tokens with 18 fraction digits. */
export const weight18 = ({ weight, eid }: { weight: bigint; eid: Eid | null }): bigint =>
  eid === null ? 0n : units18(weight, tokenDecimalsAt(eid));

export const wordOf = (isUp: boolean) => (isUp ? 'upvote' : 'downvote');
