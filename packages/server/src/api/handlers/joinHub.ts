import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { happened } from '../../db/happenings.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { wayOfWallet } from '../accounts/users.ts';
import { hubBanned } from '../people/bans.ts';
import { countMembers, lockHub, standingOf } from '../people/hubs.ts';
import { inviteHash } from '../people/invites.ts';
import { showHub } from '../people/showHubs.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const joinHub = handler(definitions.joinHub, async (context, input, { caller }) => {
  const { db, seals, now } = context;
  const { userId } = caller;
  const token = await requireToken(context, input.token_id);
  const { token_id } = token;
  await db.transaction().execute(async (tx) => {
    const joinedAt = new Date(now());
    const hub = await lockHub(tx, token, now());
    const { role, ban } = await standingOf(tx, token, userId, now());
    if (ban !== null) throw hubBanned(ban);
    if (role !== null) return;
    if (hub.invite_only) await useInvite(tx, token_id, input.invite ?? '', joinedAt);
    await tx
      .insertInto('hub_member')
      .values({ token_id, user_id: userId, role: 'member', joined_at: joinedAt })
      .execute();
    await countMembers(tx, token_id, 1);
    const owner = await wayOfWallet({ db: tx, seals }, token.creator);
    if (owner === null) return;
    const notice = {
      kind: 'notification',
      user_id: owner.userId,
      type: 'hub_joined',
      actor_id: userId,
      token_id,
    } as const;
    await happened(tx, [{ ...notice, key: `joined:${token_id}:${userId}` }], joinedAt);
  });
  return { success: true, hub: await showHub(context, token, caller) };
});

/** @throws HUB_INVITE_ONLY */
const useInvite = async (tx: Tx, tokenId: string, invite: string, at: Date): Promise<void> => {
  const used = await tx
    .updateTable('hub_invite')
    .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
    .where('invite_hash', '=', inviteHash(invite))
    .where('token_id', '=', tokenId)
    .where('uses_left', '>', 0)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', at)]))
    .returning('uses_left')
    .executeTakeFirst();
  if (used === undefined)
    throw new MintageError('HUB_INVITE_ONLY', 'This hub takes an invite that is neither used up nor over.');
};
