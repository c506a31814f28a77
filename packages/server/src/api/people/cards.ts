import type { Address } from '@mintage/protocol';
import type { UserCard } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';

/** Base query for users with name and profile, used by every query that shows some. */
export const peopleShown = (db: Db) =>
  db
    .selectFrom('app_user')
    .leftJoin('username', 'username.user_id', 'app_user.user_id')
    .leftJoin('profile', 'profile.user_id', 'app_user.user_id');

/** The wallet that signs in: the first one whose key the user holds. */
export const firstWallet = sql`select w.address from user_wallet w
  where w.user_id = app_user.user_id and not exists (
    select from embedded_wallet e where e.user_id = w.user_id and e.address = w.address)
  order by w.created_at, w.address limit 1`;

/** A `UserCard`, of `peopleShown`. */
export const cardColumns = [
  'app_user.user_id as id',
  'username.username',
  'profile.display_name',
  'profile.profile_picture',
  sql<Address | null>`case when profile.show_wallet is not false then (${firstWallet}) end`.as('address'),
] as const;

/** Users as others see them, by id; unknown ids are left out. */
export const userCards = async (db: Db, userIds: readonly string[]): Promise<Map<string, UserCard>> => {
  const rows = await peopleShown(db)
    .select(cardColumns)
    .where(oneOf('app_user.user_id', [...new Set(userIds)]))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

/** Whose these wallets are, by wallet, as far as others may see it: without those of users who hide theirs. */
export const cardsOfWallets = async (db: Db, wallets: readonly Address[]): Promise<Map<Address, UserCard>> => {
  const owned = await db
    .selectFrom('user_wallet')
    .leftJoin('profile', 'profile.user_id', 'user_wallet.user_id')
    .select(['user_wallet.address', 'user_wallet.user_id'])
    .where(oneOf('user_wallet.address', [...new Set(wallets)]))
    .where(sql<boolean>`profile.show_wallet is not false`)
    .execute();
  const cards = await userCards(
    db,
    owned.map(({ user_id }) => user_id),
  );
  return new Map(owned.map(({ address, user_id }) => [address, cards.get(user_id) as UserCard]));
};
