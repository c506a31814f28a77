import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { StreamTopic } from '../schemas/subscription.ts';
import { Content, operation } from './operation.ts';

const list = (description: string) =>
  optional(z.union([z.string(), z.array(z.string())])).meta({
    description: `${description} Several by comma, or the key again.`,
  });

export const stream = operation({
  name: 'stream',
  summary: 'The live streams as server-sent events.',
  description:
    'One subscription of the WebSocket as a query. Each event is `id: <seq>` and `data: {"type":"event","topic",…,"seq",…,' +
    '"data":{…}}`; a reorg takes one back with `"type":"retract"` and its number in `retracts`. The first line says ' +
    '`"type":"subscribed"` and the newest number. A client that comes again with `Last-Event-ID` (browsers do) or ' +
    '`cursor` goes on where it was. `tokenActivity` is public, the other topics need a credential, and `walletFees` has ' +
    'your own wallets only. More in `docs/streams.md`.',
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
    activityIds: list('Numbers: what a fee was earned by.'),
    distributionTypes: list('Numbers: what a fee was earned as.'),
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
