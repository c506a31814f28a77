import type { Context } from '../../handlers/context.ts';
import { withoutHeldBack } from '../events/heldBack.ts';
import type { StreamEvent } from '../events/reader.ts';
import { type Missed, messageIdOf, messageOf } from './message.ts';
import type { Outcome } from './post.ts';
import type { Webhook } from './queue.ts';
import { signedHeaders } from './sign.ts';

/** Sends one event to a webhook's receiver. */
export const attemptDelivery = async (
  context: Pick<Context, 'config' | 'db' | 'webhooks' | 'now'>,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
  keys: readonly string[],
  event: StreamEvent,
  missed: Missed | null,
  stop?: AbortSignal,
): Promise<Outcome> => {
  const { config, webhooks, now } = context;
  const [told = event] = await withoutHeldBack(context, [event]);
  const body = messageOf(config.platformName, id, told, missed);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${config.platformSlug}-webhooks`,
    ...signedHeaders(keys, messageIdOf(id, event.seq), now(), body),
  };
  return webhooks.send(url, headers, body, stop);
};
