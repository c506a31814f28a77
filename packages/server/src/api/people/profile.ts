import { type Address, formatUsd18, MintageError } from '@mintage/protocol';
import type { UserProfile } from '@mintage/protocol/operations';
import type { Db } from '../../db/serviceTables.ts';
import { accountOf } from '../accounts/users.ts';
import { oneOf } from '../reads/oneOf.ts';
import { userCards } from './cards.ts';

/**
 * A user's profile.
 *
 * @param isOwn - Whether the user asks: then with the settings, and with what others do not see where the wallet is hidden: it, and
 * sums by which its line on the leaderboard would be found.
 * @throws USER_NOT_FOUND
 */
export const profileOf = async (db: Db, userId: string, isOwn: boolean): Promise<UserProfile> => {
  const [cards, account, row] = await Promise.all([
    userCards(db, [userId]),
    accountOf(db, userId),
    db
      .selectFrom('app_user')
      .leftJoin('profile', 'profile.user_id', 'app_user.user_id')
      .select(['app_user.created_at', 'bio', 'banner_url', 'links', 'show_wallet', 'show_holdings'])
      .where('app_user.user_id', '=', userId)
      .executeTakeFirst(),
  ]);
  const card = cards.get(userId);
  if (card === undefined || account === null || row === undefined) throw noUser();
  const { wallets, embedded } = account;
  const made = new Set(Object.values(embedded));
  const isShown = isOwn || row.show_wallet !== false;
  const [created, earned18] = await Promise.all([tokensCreated(db, wallets), earnedBy(db, wallets)]);
  return {
    ...card,
    ...(isOwn && { address: wallets.find((wallet) => !made.has(wallet)) ?? null }),
    bio: row.bio,
    banner_url: row.banner_url,
    links: row.links ?? {},
    created_at: row.created_at.toISOString(),
    tokens_created_count: isShown ? created : null,
    total_earned_usd: isShown ? formatUsd18(earned18) : null,
    ...(isOwn && {
      settings: { show_wallet: row.show_wallet ?? true, show_holdings: row.show_holdings ?? false },
    }),
  };
};

export const noUser = (): MintageError => new MintageError('USER_NOT_FOUND', 'There is no such user.');

const tokensCreated = async (db: Db, wallets: readonly Address[]): Promise<number> => {
  const { count } = await db
    .selectFrom('token')
    .select(({ fn }) => fn.countAll<number>().as('count'))
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
