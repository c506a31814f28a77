import { z } from 'zod';
import { activitySubtypes, activityTypes } from './activityRecord.ts';
import { AddressText, ChainSlug, optional, TokenRef, Uuid } from './scalars.ts';

/** What of a stream somebody wants: the same for sockets, server-sent events and webhooks. */

export const StreamTopic = z
  .enum(['tokenActivity', 'walletBalances', 'walletFees', 'posts', 'votes', 'notifications'])
  .meta({
    id: 'StreamTopic',
    description:
      'tokenActivity: trades, transfers and graduations. walletBalances: tokens that wallets hold. walletFees: fees that wallets earn. ' +
      'posts: what people say. votes: how they voted. notifications: what concerns you.',
  });
export type StreamTopic = z.output<typeof StreamTopic>;

/** Number of an event within its topic. */
export const StreamSeq = z
  .int('must be the number of an event')
  .min(0, 'must be the number of an event')
  .meta({ id: 'StreamSeq', description: 'Number of an event within its topic.' });

export const StreamCursor = z
  .union([z.enum(['latest', 'earliest']), StreamSeq], { error: 'must be `latest`, `earliest` or an event number' })
  .meta({
    id: 'StreamCursor',
    description:
      'Events after this number; `earliest` starts at the oldest event kept, `latest` at the next new event.',
  });

export const SinceTimestamp = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time' })
  .meta({ description: 'From the first event at or after this time; a numeric cursor wins.' });

const someOf = <T extends z.ZodType>(item: T) => optional(z.array(item).max(100, 'must have at most 100 items'));
const smallNumber = z.int().min(0).max(65_535);

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const filters = {
  tokenId: optional(TokenRef).meta({ description: 'Only this token: id, platform id, contract address or slug.' }),
  tokenIds: someOf(TokenRef).meta({ description: 'Only these tokens.' }),
  wallet: optional(AddressText).meta({ description: 'Only this wallet.' }),
  wallets: someOf(AddressText).meta({ description: 'Only these wallets.' }),
  activityTypes: someOf(oneOf(activityTypes)).meta({ description: 'Only these types of activity.' }),
  activitySubtypes: someOf(oneOf(activitySubtypes)).meta({ description: 'Only these subtypes of activity.' }),
  currency: optional(AddressText).meta({ description: 'Only fees in this currency.' }),
  currencies: someOf(AddressText).meta({ description: 'Only fees in these currencies.' }),
  activityIds: someOf(smallNumber).meta({ description: 'Only fees that these activities earned, by number.' }),
  distributionTypes: someOf(smallNumber).meta({ description: 'Only fees earned in these roles, by number.' }),
  authorIds: someOf(Uuid).meta({ description: 'Only what these users say.' }),
  parentIds: someOf(Uuid).meta({ description: 'Only comments right below these posts.' }),
  postIds: someOf(Uuid).meta({ description: 'Only votes on these posts.' }),
  hashtags: someOf(z.string().min(1).max(32)).meta({ description: 'Only posts with one of these tags, without `#`.' }),
  chains: someOf(ChainSlug).meta({ description: 'Only these chains.' }),
};
type FilterName = keyof typeof filters;

/** Filters of other topics are refused: whoever sends one wants less than would come. */
const subscriptionTo = <const Topic extends StreamTopic, const Name extends FilterName>(
  topic: Topic,
  names: readonly Name[],
) => {
  const fields = (Object.keys(filters) as FilterName[]).map((name) => [
    name,
    (names as readonly FilterName[]).includes(name)
      ? filters[name]
      : z.never({ error: 'is no filter of this topic' }).optional(),
  ]);
  return z.object({
    topic: z.literal(topic).meta({ description: 'Which events.' }),
    ...(Object.fromEntries(fields) as {
      [Each in FilterName]: Each extends Name ? (typeof filters)[Each] : z.ZodOptional<z.ZodNever>;
    }),
    cursor: optional(StreamCursor),
    sinceTimestamp: optional(SinceTimestamp),
    batchSize: optional(z.int().min(1).max(1_000)).meta({
      description: 'Past events that are read in one step, at most; absent: 100. Each event is one message.',
    }),
  });
};

const ofFees = ['currency', 'currencies', 'activityIds', 'distributionTypes'] as const;
const ActivitySubscription = subscriptionTo('tokenActivity', [
  ...(['tokenId', 'tokenIds', 'activityTypes', 'activitySubtypes', 'chains'] as const),
]);
const BalancesSubscription = subscriptionTo('walletBalances', ['tokenId', 'tokenIds', 'wallet', 'wallets', 'chains']);
const FeesSubscription = subscriptionTo('walletFees', ['wallet', 'wallets', ...ofFees, 'chains']);
const PostsSubscription = subscriptionTo('posts', ['tokenId', 'tokenIds', 'authorIds', 'parentIds', 'hashtags']);
const VotesSubscription = subscriptionTo('votes', ['tokenId', 'tokenIds', 'postIds']);
const NotificationsSubscription = subscriptionTo('notifications', []);
const aTopic = { error: `must have a topic: one of ${StreamTopic.options.join(', ')}` };

/** Filters are ANDed, the values of one filter ORed; singular and plural are one filter; none means everything. */
export const Subscription = z
  .discriminatedUnion(
    'topic',
    [
      ActivitySubscription,
      BalancesSubscription,
      FeesSubscription,
      PostsSubscription,
      VotesSubscription,
      NotificationsSubscription,
    ],
    aTopic,
  )
  .meta({ id: 'Subscription' });

/** Of a webhook, which lasts: a misspelt filter would be none. Sockets take keys that they do not know, as their clients expect. */
export const WebhookSubscription = z
  .discriminatedUnion(
    'topic',
    [
      ActivitySubscription.strict(),
      BalancesSubscription.strict(),
      FeesSubscription.strict(),
      PostsSubscription.strict(),
      VotesSubscription.strict(),
      NotificationsSubscription.strict(),
    ],
    aTopic,
  )
  .meta({ id: 'WebhookSubscription' });
export type Subscription = z.output<typeof Subscription>;

/** A subscription as it is kept: singular and plural merged, tokens by platform id, addresses in lower case. */
export const StreamFilter = z
  .strictObject({
    topic: StreamTopic,
    tokenIds: optional(z.array(z.string())).meta({ description: 'Platform ids.' }),
    wallets: optional(z.array(AddressText)).meta({ description: 'Only these wallets.' }),
    chains: optional(z.array(z.string())).meta({ description: 'Only these chains.' }),
    activityTypes: optional(z.array(z.string())).meta({ description: 'Only these types of activity.' }),
    activitySubtypes: optional(z.array(z.string())).meta({ description: 'Only these subtypes of activity.' }),
    currencies: optional(z.array(AddressText)).meta({ description: 'Only fees in these currencies.' }),
    activityIds: optional(z.array(z.int())).meta({ description: 'Only fees that these activities earned.' }),
    distributionTypes: optional(z.array(z.int())).meta({ description: 'Only fees earned in these roles.' }),
    authorIds: optional(z.array(z.string())).meta({ description: 'Only what these users say.' }),
    parentIds: optional(z.array(z.string())).meta({ description: 'Only comments right below these posts.' }),
    postIds: optional(z.array(z.string())).meta({ description: 'Only votes on these posts.' }),
    hashtags: optional(z.array(z.string())).meta({ description: 'Only posts with one of these tags.' }),
    userIds: optional(z.array(z.string())).meta({ description: 'Of notifications: the user, who subscribed.' }),
  })
  .meta({ id: 'StreamFilter' });
export type StreamFilter = z.output<typeof StreamFilter>;
