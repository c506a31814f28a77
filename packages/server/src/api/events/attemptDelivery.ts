import { type Missed, messageIdOf, messageOf } from '../accounts/webhooks/message.ts';
import type { Outcome, Post } from '../accounts/webhooks/post.ts';
import type { Webhook } from '../accounts/webhooks/queue.ts';
import { signedHeaders } from '../accounts/webhooks/sign.ts';
import type { StreamEvent } from '../reads/events/streamEvent.ts';
import type { Reading } from '../tokens/reading.ts';
import { shownEvents } from './shownEvents.ts';

export interface Sending extends Pick<Reading, 'config' | 'db'> {
  /** Sends webhook deliveries. */
  webhooks: Post;
  now: () => number;
}

/** Sends one event to a webhook's receiver. */
export const attemptDelivery = async (
  context: Sending,
  { id, url }: Pick<Webhook, 'id' | 'url'>,
  keys: readonly string[],
  event: StreamEvent,
  missed: Missed | null,
  stop?: AbortSignal,
): Promise<Outcome> => {
  const { config, webhooks, now } = context;
  const [told = event] = await shownEvents(context, [event]);
  const body = messageOf(config.platformName, id, told, missed);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${config.platformSlug}-webhooks`,
    ...signedHeaders(keys, messageIdOf(id, event.seq), now(), body),
  };
  return webhooks.send(url, headers, body, stop);
};
