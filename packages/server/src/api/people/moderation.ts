import { MintageError } from '@mintage/protocol';
import type { ModerationAction } from '@mintage/protocol/operations';
import { happened } from '../../db/happenings.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { tellAccess } from '../accounts/newAccess.ts';
import { holdWallets } from '../accounts/pause.ts';
import { decision } from './decision.ts';
import { listPost, unlistPost } from './listing.ts';
import { noUser } from './profile.ts';
import { lockedPost } from './removePost.ts';
import { noPost } from './seesPost.ts';
import { findPost } from './showPosts.ts';

/** What an operator does about what people say; each is written down, with who did it and why. */

export interface Deed {
  /** The operator; null: somebody at the command line. */
  by: string | null;
  reason: string | null;
}

/**
 * Shows a post to nobody but its author, who sees why; comments and votes on it stay.
 *
 * @throws POST_NOT_FOUND, also when it is deleted.
 */
export const hidePost = (db: Db, postId: string, deed: Deed & { reason: string }): Promise<void> =>
  moderated(db, { action: 'hide_post', target: postId, ...deed }, async (tx, now) => {
    const post = await requirePost(tx, postId);
    if (post.hidden_because === null) {
      await unlistPost(tx, post, 'hidden', now);
      if (post.author_id !== null)
        await happened(tx, [decision(post.author_id, `hidden:${postId}`, { post_id: postId, detail: 'hidden' })], now);
    }
    const changes = { hidden_because: deed.reason, pinned: false };
    await tx.updateTable('post').set(changes).where('post_id', '=', postId).execute();
  });

/** @throws POST_NOT_FOUND, also when it is deleted. */
export const unhidePost = (db: Db, postId: string, deed: Deed): Promise<void> =>
  moderated(db, { action: 'unhide_post', target: postId, ...deed }, async (tx, now) => {
    const post = await requirePost(tx, postId);
    if (post.hidden_because === null) return;
    await tx.updateTable('post').set({ hidden_because: null }).where('post_id', '=', postId).execute();
    await listPost(tx, post, now);
  });

/** @throws USER_NOT_FOUND */
export const suspendUser = (db: Db, userId: string, deed: Deed & { reason: string }): Promise<void> =>
  moderated(db, { action: 'suspend_user', target: userId, ...deed }, async (tx, now) => {
    const before = await setSuspended(tx, userId, deed.reason);
    if (before === null)
      await happened(tx, [decision(userId, `suspended:${now.getTime()}`, { detail: 'suspended' })], now);
  });

/** @throws USER_NOT_FOUND */
export const unsuspendUser = (db: Db, userId: string, deed: Deed): Promise<void> =>
  moderated(db, { action: 'unsuspend_user', target: userId, ...deed }, async (tx) => {
    await setSuspended(tx, userId, null);
  });

/** @throws USER_NOT_FOUND */
export const freezeAccount = (db: Db, userId: string, deed: Deed & { reason: string }): Promise<void> =>
  moderated(db, { action: 'freeze_account', target: userId, ...deed }, async (tx, now) => {
    await lockedUser(tx, userId);
    // The signer locks these rows while it signs, so once the freeze is stored no signature is in progress.
    await holdWallets(tx, userId);
    await tx
      .insertInto('account_freeze')
      .values({ user_id: userId, frozen_by: deed.by, frozen_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tellAccess(tx, userId, 'frozen', userId, now.getTime());
  });

/** @throws USER_NOT_FOUND; NOT_AN_OPERATOR of the operator who froze it. */
export const unfreezeAccount = (db: Db, userId: string, deed: Deed): Promise<void> =>
  moderated(db, { action: 'unfreeze_account', target: userId, ...deed }, async (tx, now) => {
    await lockedUser(tx, userId);
    const row = await tx
      .deleteFrom('account_freeze')
      .where('user_id', '=', userId)
      .returning('frozen_by')
      .executeTakeFirst();
    if (row === undefined) return;
    if (row.frozen_by !== null && row.frozen_by === deed.by)
      throw new MintageError('NOT_AN_OPERATOR', 'You froze this account: another operator has to lift it');
    await tellAccess(tx, userId, 'unfrozen', userId, now.getTime());
  });

/** @throws USER_NOT_FOUND */
const lockedUser = async (tx: Tx, userId: string): Promise<void> => {
  const row = tx.selectFrom('app_user').select('user_id').where('user_id', '=', userId).forNoKeyUpdate();
  if ((await row.executeTakeFirst()) === undefined) throw noUser();
};

/**
 * Takes what was reported of a post as seen to.
 *
 * @returns How many reports that were.
 * @throws POST_NOT_FOUND
 */
export const resolveReports = (db: Db, postId: string, deed: Deed): Promise<number> =>
  moderated(db, { action: 'resolve_reports', target: postId, ...deed }, async (tx, now) => {
    if ((await findPost(tx, postId)) === undefined) throw noPost();
    const { numUpdatedRows } = await tx
      .updateTable('post_report')
      .set({ resolved_at: now })
      .where('post_id', '=', postId)
      .where('resolved_at', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });

/** Around what is done: it is written down in the same transaction, or not done. */
export const moderated = async <Result>(
  db: Db,
  { by, ...deed }: Deed & { action: ModerationAction; target: string },
  act: (tx: Tx, now: Date) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    const now = new Date();
    const result = await act(tx, now);
    await tx
      .insertInto('moderation')
      .values({ ...deed, at: now, user_id: by })
      .execute();
    return result;
  });

const requirePost = async (tx: Tx, postId: string) => {
  const post = await lockedPost(tx, postId);
  if (post === null || post.deleted_at !== null) throw noPost();
  return post;
};

/** @returns Why the user was suspended before; null: they were not. */
const setSuspended = async (tx: Tx, userId: string, reason: string | null): Promise<string | null> => {
  const user = await tx
    .selectFrom('app_user')
    .select('suspended_because')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) throw noUser();
  await tx.updateTable('app_user').set({ suspended_because: reason }).where('user_id', '=', userId).execute();
  return user.suspended_because;
};
