import { definitions } from '@mintage/protocol/operations';
import { happened } from '../../db/happenings.ts';
import { decision } from '../people/decision.ts';
import { deletePostsOf } from '../people/deletePosts.ts';
import { endMembership, lockHub, recordInHub, requireAbove, requireRole, standingOf } from '../people/hubs.ts';
import { noUser } from '../people/profile.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { laterTime } from '../wire/laterTime.ts';
import { handler } from './handler.ts';

export const banFromHub = handler(definitions.banFromHub, async (context, input, { caller }) => {
  const { db, now } = context;
  const userId = input.user_id.toLowerCase();
  const token = await requireToken(context, input.token_id);
  const { token_id } = token;
  const until = input.until === undefined ? null : laterTime(input.until, now(), 'until');
  await db.transaction().execute(async (tx) => {
    // Users are locked before hubs.
    const user = await tx
      .selectFrom('app_user')
      .select('user_id')
      .where('user_id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (user === undefined) throw noUser();
    await lockHub(tx, token, now());
    const who = await standingOf(tx, token, caller.userId, now());
    requireRole(who, 'moderator');
    const whom = await standingOf(tx, token, userId, now());
    requireAbove(who, whom);
    await endMembership(tx, token, userId);
    const ban = { until, banned_at: new Date(now()) };
    await tx
      .insertInto('hub_ban')
      .values({ token_id, user_id: userId, ...ban })
      .onConflict((conflict) => conflict.columns(['token_id', 'user_id']).doUpdateSet(ban))
      .execute();
    const reason = [
      `hub ${token_id}`,
      until === null ? 'for good' : `until ${until.toISOString()}`,
      ...(input.delete_posts ? ['with posts'] : []),
    ].join(', ');
    await recordInHub(tx, { action: 'hub_ban', by: caller.userId, to: userId, reason, atMs: now() });
    // The same call again deletes what the first one left, and tells nothing new.
    if (whom.ban !== null) return;
    const key = `banned:${token_id}:${now()}`;
    await happened(tx, [decision(userId, key, { token_id, detail: 'banned' })], new Date(now()));
  });
  if (input.delete_posts) await deletePostsOf(db, context, token_id, userId);
  return { success: true, banned: true };
});
