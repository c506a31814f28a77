import { type Address, formatUsd18, MintageError } from '@mintage/protocol';
import type { UserProfile } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { cardColumns, firstWallet, peopleShown } from './cards.ts';

/**
 * A user's profile.
 *
 * @param viewerId - The user who asks, null: nobody who is known. One's own comes with the settings, and with what others do not see
 * where the wallet is hidden: it, and sums by which its line on the leaderboard would be found.
 * @throws USER_NOT_FOUND
 */
export const profileOf = async (db: Db, userId: string, viewerId: string | null): Promise<UserProfile> => {
  const isOwn = viewerId === userId;
  const row = await peopleShown(db)
    .select(cardColumns)
    .select(['app_user.created_at', 'app_user.posts_count', 'app_user.followers_count', 'app_user.following_count'])
    .select(['profile.bio', 'profile.banner_url', 'profile.links', 'profile.show_wallet', 'profile.show_holdings'])
    .select([
      sql<Address | null>`(${firstWallet})`.as('own_address'),
      sql<Address[]>`array(select w.address from user_wallet w where w.user_id = app_user.user_id)`.as('wallets'),
    ])
    .select(({ selectFrom, exists }) => [
      exists(
        selectFrom('user_follow')
          .where('user_follow.user_id', '=', viewerId)
          .whereRef('user_follow.followed_id', '=', 'app_user.user_id'),
      ).as('is_following'),
      exists(
        selectFrom('user_follow')
          .whereRef('user_follow.user_id', '=', 'app_user.user_id')
          .where('user_follow.followed_id', '=', viewerId),
      ).as('is_followed_by'),
      exists(
        selectFrom('user_block')
          .where('user_block.user_id', '=', viewerId)
          .whereRef('user_block.blocked_id', '=', 'app_user.user_id'),
      ).as('is_blocked'),
    ])
    .where('app_user.user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw noUser();
  const { wallets, own_address, show_wallet, show_holdings, links, created_at, ...shown } = row;
  const isShown = isOwn || show_wallet !== false;
  const [created, earned18] = await Promise.all([tokensCreated(db, wallets), earnedBy(db, wallets)]);
  return {
    ...shown,
    ...(isOwn && { address: own_address }),
    links: links ?? {},
    created_at: created_at.toISOString(),
    tokens_created_count: isShown ? created : null,
    total_earned_usd: isShown ? formatUsd18(earned18) : null,
    is_following: Boolean(shown.is_following),
    is_followed_by: Boolean(shown.is_followed_by),
    is_blocked: Boolean(shown.is_blocked),
    ...(isOwn && { settings: { show_wallet: show_wallet ?? true, show_holdings: show_holdings ?? false } }),
  };
};

export const noUser = (): MintageError => new MintageError('USER_NOT_FOUND', 'There is no such user.');

const tokensCreated = async (db: Db, wallets: readonly Address[]): Promise<number> => {
  const { count } = await db
    .selectFrom('token')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eid', 'in', db.selectFrom('chain').select('eid'))
    .where(oneOf('creator', wallets))
    .executeTakeFirstOrThrow();
  return count;
};

/** USD with 18 fraction digits; of several wallets all is on the line of one. */
const earnedBy = async (db: Db, wallets: readonly Address[]): Promise<bigint> => {
  const rows = await db
    .selectFrom('earner')
    .select('earned_usd18')
    .where('network', '=', 'both')
    .where(oneOf('account', wallets))
    .execute();
  return rows.reduce((sum, { earned_usd18 }) => sum + earned_usd18, 0n);
};
