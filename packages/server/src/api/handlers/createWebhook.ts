import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { randomBase62 } from '../accounts/base62.ts';
import { holdSession } from '../accounts/sessions.ts';
import { lockUser } from '../accounts/users.ts';
import { newKey, secretOf } from '../accounts/webhooks/sign.ts';
import { startOf } from '../accounts/webhooks/startOf.ts';
import { ownWebhookRecord } from '../accounts/webhooks/webhookRecord.ts';
import { webhookUrl } from '../accounts/webhooks/webhookUrl.ts';
import { filterOf } from '../events/streamFilter.ts';
import { handler } from './handler.ts';

const mostWebhooks = 10;

export const createWebhook = handler(definitions.createWebhook, async (context, { url, subscription }, { caller }) => {
  const { db, config, now, webhookKeys } = context;
  const address = webhookUrl(url, config.webhooksToLoopback);
  const filter = await filterOf(context, subscription, caller, 'subscription.');
  // Without wallets the filter covers all of the user's wallets, also ones linked later: `queue.ts` checks the wallet
  // of each event.
  if (subscription.topic === 'walletFees' && !subscription.wallet && !subscription.wallets?.length)
    delete filter.wallets;
  const cursor = await startOf(db, subscription.topic, subscription, 'subscription.cursor');

  const id = randomBase62(16);
  const key = newKey();
  const sealed = await webhookKeys.seal(id, key);
  const createdAt = new Date(now());
  await db.transaction().execute(async (tx) => {
    // Two calls at once cannot both take the last free place.
    await lockUser(tx, caller.userId);
    await holdSession(tx, caller, now());
    const own = await tx.selectFrom('webhook').select('id').where('user_id', '=', caller.userId).execute();
    if (own.length >= mostWebhooks) {
      throw new MintageError('TOO_MANY_WEBHOOKS', `There are ${mostWebhooks} webhooks already`);
    }
    await tx
      .insertInto('webhook')
      .values({
        id,
        user_id: caller.userId,
        url: address.href,
        origin: address.origin,
        topic: subscription.topic,
        filter: JSON.stringify(filter),
        cursor,
        next_attempt_at: createdAt,
        created_at: createdAt,
      })
      .execute();
    await tx.insertInto('webhook_secret').values({ webhook_id: id, sealed_secret: sealed }).execute();
  });
  return { webhook: await ownWebhookRecord(context, caller, id), secret: secretOf(key) };
});
