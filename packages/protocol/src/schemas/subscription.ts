import { z } from 'zod';
import { activitySubtypes, activityTypes } from './activityRecord.ts';
import { AddressText, ChainSlug, optional, TokenRef } from './scalars.ts';

/** What of a stream somebody wants: the same for sockets, server-sent events and webhooks. */

export const StreamTopic = z.enum(['tokenActivity', 'walletBalances', 'walletFees']).meta({
  id: 'StreamTopic',
  description:
    'tokenActivity: trades, transfers and graduations. walletBalances: tokens that wallets hold. walletFees: fees that wallets earn.',
});

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

const common = {
  chains: someOf(ChainSlug).meta({ description: 'Only these chains.' }),
  cursor: optional(StreamCursor),
  sinceTimestamp: optional(SinceTimestamp),
  batchSize: optional(z.int().min(1).max(1_000)).meta({
    description: 'Past events that are read in one step, at most; absent: 100. Each event is one message.',
  }),
};
const ofTokens = {
  tokenId: optional(TokenRef).meta({ description: 'Only this token: id, platform id, contract address or slug.' }),
  tokenIds: someOf(TokenRef).meta({ description: 'Only these tokens.' }),
};
const ofActivity = ['activityTypes', 'activitySubtypes'] as const;
const ofFees = ['currency', 'currencies', 'activityIds', 'distributionTypes'] as const;
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Filters of other topics are refused: whoever sends one wants less than would come. */
const notOfThisTopic = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.never({ error: 'is no filter of this topic' }).optional()]),
  ) as Record<Name, z.ZodOptional<z.ZodNever>>;
const ofWallets = {
  wallet: optional(AddressText).meta({ description: 'Only this wallet.' }),
  wallets: someOf(AddressText).meta({ description: 'Only these wallets.' }),
};

const ActivitySubscription = z.object({
  topic: z.literal('tokenActivity').meta({ description: 'Which events.' }),
  ...ofTokens,
  activityTypes: someOf(oneOf(activityTypes)).meta({ description: 'Only these types of activity.' }),
  activitySubtypes: someOf(oneOf(activitySubtypes)).meta({ description: 'Only these subtypes of activity.' }),
  ...notOfThisTopic('wallet', 'wallets', ...ofFees),
  ...common,
});
const BalancesSubscription = z.object({
  topic: z.literal('walletBalances').meta({ description: 'Which events.' }),
  ...ofTokens,
  ...ofWallets,
  ...notOfThisTopic(...ofActivity, ...ofFees),
  ...common,
});
const FeesSubscription = z.object({
  topic: z.literal('walletFees').meta({ description: 'Which events.' }),
  ...ofWallets,
  currency: optional(AddressText).meta({ description: 'Only fees in this currency.' }),
  currencies: someOf(AddressText).meta({ description: 'Only fees in these currencies.' }),
  activityIds: someOf(smallNumber).meta({ description: 'Only fees that these activities earned, by number.' }),
  distributionTypes: someOf(smallNumber).meta({ description: 'Only fees earned in these roles, by number.' }),
  ...notOfThisTopic('tokenId', 'tokenIds', ...ofActivity),
  ...common,
});
const aTopic = { error: 'must have a topic: `tokenActivity`, `walletBalances` or `walletFees`' };

/** Filters are ANDed, the values of one filter ORed; singular and plural are one filter; none means everything. */
export const Subscription = z
  .discriminatedUnion('topic', [ActivitySubscription, BalancesSubscription, FeesSubscription], aTopic)
  .meta({ id: 'Subscription' });

/** Of a webhook, which lasts: a misspelt filter would be none. Sockets take keys that they do not know, as their clients expect. */
export const WebhookSubscription = z
  .discriminatedUnion(
    'topic',
    [ActivitySubscription.strict(), BalancesSubscription.strict(), FeesSubscription.strict()],
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
  })
  .meta({ id: 'StreamFilter' });
export type StreamFilter = z.output<typeof StreamFilter>;
