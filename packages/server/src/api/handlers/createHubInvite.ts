import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { lockHub, requireRole, standingOf } from '../people/hubs.ts';
import { inviteHash, newInvite } from '../people/invites.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { laterTime } from '../wire/laterTime.ts';
import { handler } from './handler.ts';

const mostInvites = 100;

export const createHubInvite = handler(definitions.createHubInvite, async (context, input, { caller }) => {
  const { db, config, now } = context;
  const { userId } = caller;
  const token = await requireToken(context, input.token_id);
  const { token_id } = token;
  const createdAt = new Date(now());
  const expiresAt = input.expires_at === undefined ? null : laterTime(input.expires_at, now(), 'expires_at');
  const invite = newInvite();
  await db.transaction().execute(async (tx) => {
    await lockHub(tx, token, now());
    requireRole(await standingOf(tx, token, userId, now()), 'moderator');
    await tx
      .deleteFrom('hub_invite')
      .where('token_id', '=', token_id)
      .where((row) => row.or([row('uses_left', '=', 0), row('expires_at', '<=', createdAt)]))
      .execute();
    const { open } = await tx
      .selectFrom('hub_invite')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('token_id', '=', token_id)
      .executeTakeFirstOrThrow();
    if (open >= mostInvites) throw invalid('token_id', `has ${mostInvites} invites that can still be used`);
    await tx
      .insertInto('hub_invite')
      .values({
        invite_hash: inviteHash(invite),
        token_id,
        uses_left: input.uses,
        expires_at: expiresAt,
        made_by: userId,
        created_at: createdAt,
      })
      .execute();
  });
  return { success: true, invite, url: `${config.appUrl}/token/${token.slug}?invite=${invite}` };
});
