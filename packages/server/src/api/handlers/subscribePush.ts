import { createECDH } from 'node:crypto';
import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { lockUser } from '../accounts/users.ts';
import { webhookUrl } from '../accounts/webhooks/webhookUrl.ts';
import { handler } from './handler.ts';

/** Browsers of one user. */
const most = 10;

export const subscribePush = handler(definitions.subscribePush, async ({ config, db, now }, input, { caller }) => {
  const { keys } = input;
  const endpoint = webhookUrl(input.endpoint, config.webhooksToLoopback, 'endpoint').href;
  const { p256dh, auth } = { p256dh: keys.p256dh.replaceAll('=', ''), auth: keys.auth.replaceAll('=', '') };
  if (!isPoint(p256dh)) throw invalid('keys.p256dh', 'must be a public key on the curve P-256');
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.userId);
    const browser = {
      user_id: caller.userId,
      p256dh,
      auth,
      created_at: new Date(now()),
      failing_since: null,
      session_id: caller.session !== null && 'sessionId' in caller.session ? caller.session.sessionId : null,
    };
    const written = await tx
      .insertInto('push_subscription')
      .values({ endpoint, ...browser })
      // A browser that changes hands keeps its secret; who knows no more than the address takes nothing over.
      .onConflict((conflict) =>
        conflict
          .column('endpoint')
          .doUpdateSet(browser)
          .where((row) =>
            row.or([row('push_subscription.auth', '=', auth), row('push_subscription.user_id', '=', caller.userId)]),
          ),
      )
      .returning('endpoint')
      .executeTakeFirst();
    if (written === undefined) throw invalid('endpoint', 'is that of somebody else’s browser');
    await sql`delete from push_subscription where user_id = ${caller.userId} and endpoint in (
      select endpoint from push_subscription where user_id = ${caller.userId}
      order by created_at desc, endpoint offset ${most})`.execute(tx);
  });
  return { success: true, subscribed: true };
});

/** Whether this is the uncompressed form of a public key. */
const isPoint = (text: string): boolean => {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(text, 'base64url'));
    return true;
  } catch {
    return false;
  }
};
