import { definitions } from '@mintage/protocol/operations';
import { lockHub, recordInHub, requireRole, standingOf } from '../people/hubs.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const unbanFromHub = handler(definitions.unbanFromHub, async (context, input, { caller }) => {
  const { db, now } = context;
  const userId = input.user_id.toLowerCase();
  const token = await requireToken(context, input.token_id);
  const { token_id } = token;
  await db.transaction().execute(async (tx) => {
    await lockHub(tx, token, now());
    requireRole(await standingOf(tx, token, caller.userId, now()), 'moderator');
    const lifted = await tx
      .deleteFrom('hub_ban')
      .where('token_id', '=', token_id)
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst();
    if (lifted === undefined) return;
    const reason = `hub ${token_id}`;
    await recordInHub(tx, { action: 'hub_unban', by: caller.userId, to: userId, reason, atMs: now() });
  });
  return { success: true, banned: false };
});
