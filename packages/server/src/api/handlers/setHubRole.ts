import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { happened } from '../../db/happenings.ts';
import { endInvites, lockHub, recordInHub, requireAbove, requireRole, standingOf } from '../people/hubs.ts';
import { showMembers } from '../people/showMembers.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const setHubRole = handler(definitions.setHubRole, async (context, input, { caller }) => {
  const { db, now } = context;
  const { role } = input;
  const userId = input.user_id.toLowerCase();
  const token = await requireToken(context, input.token_id);
  const { token_id } = token;
  const row = await db.transaction().execute(async (tx) => {
    await lockHub(tx, token, now());
    const [who, whom] = [await standingOf(tx, token, caller.userId, now()), await standingOf(tx, token, userId, now())];
    requireRole(who, 'owner');
    requireAbove(who, whom);
    if (whom.role === null) throw new MintageError('USER_NOT_FOUND', 'There is no such member of this hub.');
    const changed = await tx
      .updateTable('hub_member')
      .set({ role })
      .where('token_id', '=', token_id)
      .where('user_id', '=', userId)
      .returning(['user_id', 'role', 'joined_at'])
      .executeTakeFirstOrThrow();
    if (role === whom.role) return changed;
    if (role === 'member') await endInvites(tx, token_id, userId);
    const reason = `${role} of hub ${token_id}`;
    await recordInHub(tx, { action: 'hub_role', by: caller.userId, to: userId, reason, atMs: now() });
    const notice = { kind: 'notification', user_id: userId, type: 'hub_role', token_id, detail: role } as const;
    await happened(tx, [{ ...notice, key: `role:${token_id}:${now()}` }], new Date(now()));
    return changed;
  });
  const [member] = await showMembers(db, token, [row]);
  if (member === undefined) throw new Error('A member was not shown.');
  return { success: true, member };
});
