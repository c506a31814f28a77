import { type RawBuilder, sql } from 'kysely';
import { votesHappened } from '../../db/happenings.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { tokenUnitAt } from '../../db/tokenUnits.ts';
import { weighedAt } from './voteCounts.ts';

/**
 * Votes of who hides their wallets weigh nothing: what a sum gained by a vote is what its voter holds, and among the holders of a token
 * that is a wallet.
 */
export const isHidingWallets = (userId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from profile where user_id = ${userId} and not show_wallet)`;

export const hidesWallets = async (tx: Tx, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ hides: boolean }>`select ${isHidingWallets(userId)} as hides`.execute(tx);
  return rows[0]?.hides === true;
};

/** Has the standing votes of a user, whose row is locked, weigh nothing from now on; what they were for stays. */
export const unweighVotes = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await sql`select from tally join (
      select target_type, target_id from vote where user_id = ${userId} and token_id is not null) own
      using (target_type, target_id)
    order by target_type, target_id for no key update of tally`.execute(tx);
  await sql`with own as materialized (
      select vote_id, target_type, target_id, is_up, div(weight * 10::numeric ^ 18, unit) as weight18,
        div(weight * price_usd18, unit) as value
      from vote cross join lateral (select coalesce(${tokenUnitAt(weighedAt)}, 1) as unit) of_token
      where user_id = ${userId} and token_id is not null),
    places as (delete from vote_place using own where vote_place.vote_id = own.vote_id),
    votes as (
      update vote set weight = 0, base = 0, price_usd18 = 0, voter_id = null, token_id = null
      from own where vote.vote_id = own.vote_id),
    counted as (
      update tally set up_weight = up_weight - case when is_up then weight18 else 0 end,
        down_weight = down_weight - case when is_up then 0 else weight18 end,
        score_usd18 = score_usd18 - case when is_up then value else -value end
      from own where tally.target_type = own.target_type and tally.target_id = own.target_id
      returning tally.target_type, tally.target_id)
    ${votesHappened(sql`${at}`)}`.execute(tx);
};
