import { definitions } from '@mintage/protocol/operations';
import { webhookUrl } from '../accounts/webhooks/webhookUrl.ts';
import { handler } from './handler.ts';

export const unsubscribePush = handler(definitions.unsubscribePush, async ({ config, db }, input, { caller }) => {
  const endpoint = webhookUrl(input.endpoint, config.webhooksToLoopback, 'endpoint').href;
  await db
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .where('user_id', '=', caller.userId)
    .execute();
  return { success: true, subscribed: false };
});
