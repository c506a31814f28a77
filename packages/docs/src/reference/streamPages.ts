import { StreamChange, StreamMessage, Subscription } from '@mintage/protocol/operations';
import type { z } from 'zod';
import type { Deployment } from '../deployment.ts';
import { fence, parts, under } from '../markdown/text.ts';
import type { Page } from '../page.ts';
import { fieldsOf } from './fields.ts';
import { fieldTable, operationPath } from './operationPage.ts';

/** What a topic tells. */
const topics = {
  tokenActivity: 'Every trade, transfer, change of liquidity and step in the life of a token. Anyone may listen.',
  walletBalances: 'What a wallet holds of a token after a block in which that changed. Needs a credential.',
  walletFees: 'Every credit of a fee to one of the caller’s own wallets. Needs a credential.',
  posts: 'Every post and comment that comes, is deleted or hidden, as it is now. Anyone may listen.',
  votes: 'How people voted on a token or post, at most once a second. Anyone may listen.',
  notifications: 'What concerns the caller, as `getNotifications` lists it. Needs a credential.',
} as const;

export type Topic = keyof typeof topics;

/** A page for each topic of the streams and webhooks, and one for the messages beside events. */
export const streamPages = (deployment: Deployment): Page[] => [
  ...(Object.keys(topics) as Topic[]).map((topic) => topicPage(topic, deployment)),
  messagesPage(deployment),
];

const topicPage = (topic: Topic, { chainTypes }: Deployment): Page => {
  const fields = (schema: z.ZodType, io: 'input' | 'output') => fieldTable(fieldsOf(schema, io, chainTypes), io);
  const subscription = ofTopic(Subscription, topic);
  const [event] = changesOf(topic);
  return {
    path: `events/${topic}`,
    title: topic,
    summary: topics[topic],
    markdown: () =>
      parts(
        topics[topic],
        `Comes over [ws](docs:${operationPath('ws')}) and [stream](docs:${operationPath('stream')}), and to the address of a webhook ` +
          `([createWebhook](docs:${operationPath('createWebhook')})). After a reorganisation an event is withdrawn by a message of ` +
          'type `retract` with its number in `retracts`.',
        under(
          '## Subscription',
          parts(fence('json', JSON.stringify({ topic }, null, 2)), fields(subscription, 'input')),
        ),
        event && under('## Event', fields(event, 'output')),
      ),
  };
};

const messagesPage = ({ chainTypes }: Deployment): Page => {
  const others = StreamMessage.options.filter((option) => option !== StreamChange);
  return {
    path: 'events/messages',
    title: 'Stream messages',
    summary: 'What a stream sends beside events: that it is open, that it ends, and why.',
    markdown: () =>
      parts(
        'There may be types beyond these: a client leaves out what it does not know.',
        ...others.map((schema) => {
          const fields = fieldsOf(schema, 'output', chainTypes);
          const type = fields.find(({ name }) => name === 'type')?.type.replaceAll('"', '') ?? '';
          return under(`## ${type}`, fieldTable(fields, 'output'));
        }),
      ),
  };
};

const changesOf = (topic: Topic) => StreamChange.options.filter(({ shape }) => shape.topic.value === topic);

const ofTopic = (union: typeof Subscription, topic: Topic): z.ZodType => {
  const found = union.options.find(({ shape }) => shape.topic.value === topic);
  if (found === undefined) throw new Error(`No subscription has the topic ${topic}.`);
  return found;
};
