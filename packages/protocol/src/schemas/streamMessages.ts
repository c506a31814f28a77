import { z } from 'zod';
import { ActivityRecord } from './activityRecord.ts';
import { Notification } from './notifications.ts';
import { ShownPlatformId } from './platformId.ts';
import { Post, VoteCount } from './posts.ts';
import { DecimalText, IsoTime, SentHash, Uuid } from './scalars.ts';
import { StreamSeq } from './subscription.ts';
import { eventPlace, RawText, wallet } from './tokenHistory.ts';

/** What a stream sends, over both transports; a socket's messages also have the subscription's `id`. Source: wire contract, 9.2 and 9.4. */

/** Keys of an activity that are sent also when they are null. */
const always = {
  pk: true,
  chain: true,
  activity_type: true,
  activity_subtype: true,
  evt_block_number: true,
  evt_block_time: true,
  tx_hash: true,
  evt_index: true,
  platform_id: true,
  token_address: true,
  wallet: true,
  trader: true,
  receiver: true,
  from_address: true,
  to_address: true,
  token_amount: true,
  token_amount_raw: true,
  usd_amount: true,
  usd_amount_raw: true,
  price_usd: true,
  market_cap_usd: true,
  pool: true,
} as const;

const StreamActivity = ActivityRecord.partial()
  .required(always)
  .meta({ id: 'StreamActivity', description: 'An activity; further keys are left out where they are null.' });

const { evt_index: _, ...balancePlace } = eventPlace;
const StreamBalance = z
  .looseObject({
    ...balancePlace,
    wallet: wallet.meta({ description: 'Who holds it.' }),
    balance: DecimalText.meta({ description: 'What it holds after the block.' }),
    balance_raw: RawText.meta({ description: '`balance`, in the token’s base units.' }),
  })
  .meta({ id: 'StreamBalance', description: 'What a wallet holds of a token after a block.' });

const StreamFee = z
  .looseObject({
    chain: z.string().meta({ description: 'Slug of the chain.' }),
    recipient: wallet.meta({ description: 'Wallet that was credited.' }),
    currency: wallet.meta({ description: 'Contract address of what was credited.' }),
    amount: DecimalText.meta({ description: 'What was credited.' }),
    amount_raw: RawText.meta({ description: '`amount`, of the currency.' }),
    distribution_type: z.int().meta({ description: 'Number of the role that it was earned in.' }),
    tracking_id: ShownPlatformId,
    activity_id: z.int().meta({ description: 'Number of what it was earned by.' }),
    evt_block_number: z.int().meta({ description: 'Block that it is in.' }),
    evt_block_time: IsoTime.meta({ description: 'Time of that block.' }),
    tx_hash: SentHash.meta({ description: 'Transaction that credited it.' }),
    evt_index: z.int().meta({ description: 'Index of the log in its block.' }),
  })
  .meta({ id: 'StreamFee', description: 'A credit of a fee.' });

const StreamPost = z
  .looseObject({
    kind: z.enum(['created', 'deleted', 'hidden']).meta({
      description: '`created` also when a hidden post is shown again. Of a post that is gone `post` is an empty place.',
    }),
    post: Post,
  })
  .meta({ id: 'StreamPost', description: 'A post or comment that came or went, as anybody sees it now.' });

const StreamVotes = z
  .looseObject({
    target_type: z.enum(['token', 'post']).meta({ description: 'What is voted on.' }),
    target_id: Uuid.meta({ description: 'Its id.' }),
    votes: VoteCount.omit({ user_vote: true }),
  })
  .meta({ id: 'StreamVotes', description: 'How people voted on a token or post, at most once a second.' });

const changes = <const Topic extends string, Data extends z.ZodType>(topic: Topic, data: Data) => {
  const shared = { topic: z.literal(topic), seq: StreamSeq, data };
  return [
    z.looseObject({ type: z.literal('event'), ...shared }),
    z.looseObject({
      type: z.literal('retract'),
      ...shared,
      retracts: StreamSeq.meta({ description: 'Number of the event that did not happen; data is that event’s.' }),
    }),
  ] as const;
};

/** An event, or that one did not happen. */
export const StreamChange = z
  .union([
    ...changes('tokenActivity', StreamActivity),
    ...changes('walletBalances', StreamBalance),
    ...changes('walletFees', StreamFee),
    ...changes('posts', StreamPost),
    ...changes('votes', StreamVotes),
    ...changes('notifications', Notification),
  ])
  .meta({ id: 'StreamChange', description: 'An event, or that one did not happen.' });

/** Everything that a client may be sent; there may be types beyond these. */
export const StreamMessage = z
  .union([
    StreamChange,
    z.looseObject({ type: z.literal('authenticated'), authMethod: z.enum(['anonymous', 'jwt', 'apiKey']) }),
    z.looseObject({
      type: z.literal('subscribed'),
      watermark: StreamSeq.meta({ description: 'Newest number of the topic at that moment.' }),
    }),
    z.looseObject({
      type: z.literal('error'),
      code: z.string().meta({ description: 'From the error catalogue.' }),
      message: z.string().meta({ description: 'For people.' }),
    }),
    z.looseObject({
      type: z.literal('closed'),
      code: z.int().meta({ description: 'As sockets number it.' }),
      reason: z.string().meta({ description: 'For people.' }),
    }),
  ])
  .meta({ id: 'StreamMessage', description: 'What a stream sends; there may be types beyond these.' });
