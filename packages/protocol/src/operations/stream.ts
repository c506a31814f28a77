import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { StreamTopic } from '../schemas/subscription.ts';
import { Content, operation } from './operation.ts';

const list = (description: string) =>
  optional(z.union([z.string(), z.array(z.string())])).meta({
    description: `${description} Separate several with commas, or repeat the key.`,
  });

export const stream = operation({
  name: 'stream',
  summary: 'Opens a live stream as server-sent events.',
  description:
    'Takes one subscription as a query. Each event is `id: <seq>` and `data: ' +
    '{"type":"event","topic",…,"seq",…,"data":{…}}`. After a reorganisation an event is withdrawn by a message with ' +
    '`"type":"retract"` and the event’s number in `retracts`. The first message has `"type":"subscribed"` and the ' +
    'newest number. A client that reconnects with `Last-Event-ID` (browsers do) or `cursor` continues where it ' +
    'stopped. `tokenActivity`, `posts` and `votes` are public; the other topics need a credential; `walletFees` has your own ' +
    'wallets only, and `notifications` what concerns you. Full reference: `docs/streams.md`.',
  method: 'GET',
  path: '/stream',
  tag: 'Streams',
  input: z.object({
    topic: StreamTopic,
    tokenIds: list('Tokens by id, platform id, contract address or slug.'),
    wallets: list('Addresses.'),
    currencies: list('Addresses of fee currencies.'),
    chains: list('Chain slugs.'),
    activityTypes: list('`trade`, `transfer`, `lp`, `lifecycle`.'),
    activitySubtypes: list('`buy`, `sell`, `local`, `deposit`, `graduation`.'),
    activityIds: list('Numbers of the activities that a fee was earned by.'),
    distributionTypes: list('Numbers of the roles that a fee was earned in.'),
    authorIds: list('Ids of users who post.'),
    parentIds: list('Ids of posts: comments right below them.'),
    postIds: list('Ids of posts: votes on them.'),
    hashtags: list('Tags of posts, without `#`.'),
    cursor: optional(z.string()).meta({
      description: '`latest`, `earliest` or an event number; `Last-Event-ID` wins.',
    }),
    sinceTimestamp: optional(z.string()).meta({ description: 'ISO 8601: from the first event at or after it.' }),
    batchSize: optional(z.string()).meta({ description: 'Past events read in one step, 1 to 1000.' }),
  }),
  output: Content,
  produces: 'text/event-stream',
  errors: ['TOKEN_NOT_FOUND', 'AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
