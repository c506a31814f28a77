import { MintageError } from '@mintage/protocol';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { noUser } from './profile.ts';

/** What is between two users: who follows whom, who blocked whom. */

/** Most users whom one follows, and most whom one blocks. */
export const most = 5_000;

export interface Between {
  /** Who calls. */
  one: string;
  /** Whom the call is about. */
  other: string;
  /** Users whom `one` follows. */
  following: number;
  /** Users who follow `other`. */
  followers: number;
}

/**
 * Changes what is between two users, for whom everybody else waits who does the same.
 *
 * @param named - Id in any case.
 * @throws CANNOT_TARGET_SELF, USER_NOT_FOUND, what `change` throws
 */
export const changeBetween = async <T>(
  db: Db,
  one: string,
  named: string,
  change: (tx: Tx, between: Between) => Promise<T>,
): Promise<T> => {
  const other = named.toLowerCase();
  if (other === one) throw new MintageError('CANNOT_TARGET_SELF', 'This is you.');
  return db.transaction().execute(async (tx) => {
    // In one order, so that two who do it to each other do not wait for one another.
    const users = await tx
      .selectFrom('app_user')
      .select(['user_id', 'following_count', 'followers_count'])
      .where('user_id', 'in', [one, other])
      .orderBy('user_id')
      .forNoKeyUpdate()
      .execute();
    const of = (userId: string) => users.find(({ user_id }) => user_id === userId);
    const [caller, target] = [of(one), of(other)];
    if (caller === undefined || target === undefined) throw noUser();
    return change(tx, { one, other, following: caller.following_count, followers: target.followers_count });
  });
};

/** Whether one of them has blocked the other. */
export const isBlockedPair = async (db: Db, one: string, other: string): Promise<boolean> => {
  const block = db
    .selectFrom('user_block')
    .select('user_id')
    .where((row) =>
      row.or([
        row.and([row('user_id', '=', one), row('blocked_id', '=', other)]),
        row.and([row('user_id', '=', other), row('blocked_id', '=', one)]),
      ]),
    );
  return (await prepared(db, block)).length > 0;
};

/** @throws BLOCKED */
export const requireNotBlocked = async (db: Db, one: string, other: string): Promise<void> => {
  if (await isBlockedPair(db, one, other)) throw new MintageError('BLOCKED', 'One of you has blocked the other.');
};

/** @returns Whether there was none. */
export const addFollow = async (tx: Tx, user_id: string, followed_id: string, nowMs: number): Promise<boolean> => {
  const added = await tx
    .insertInto('user_follow')
    .values({ user_id, followed_id, created_at: new Date(nowMs) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (added === undefined) return false;
  await count(tx, user_id, followed_id, 1);
  return true;
};

/** @returns Whether there was one. */
export const removeFollow = async (tx: Tx, user_id: string, followed_id: string): Promise<boolean> => {
  const removed = await tx
    .deleteFrom('user_follow')
    .where('user_id', '=', user_id)
    .where('followed_id', '=', followed_id)
    .returning('user_id')
    .executeTakeFirst();
  if (removed === undefined) return false;
  await count(tx, user_id, followed_id, -1);
  return true;
};

const count = async (tx: Tx, follower: string, followed: string, by: 1 | -1): Promise<void> => {
  for (const [column, userId] of [
    ['following_count', follower],
    ['followers_count', followed],
  ] as const)
    await tx
      .updateTable('app_user')
      .set((user) => ({ [column]: user(column, '+', by) }))
      .where('user_id', '=', userId)
      .execute();
};
