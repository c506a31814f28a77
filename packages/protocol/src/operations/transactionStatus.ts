import { z } from 'zod';
import { TransactionItem } from '../schemas/prepared.ts';
import { AskedHash, ChainSlug, IdempotencyKey, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

/** How far a message to another chain is. */
export const Delivery = z
  .strictObject({
    state: z.enum(['sent', 'verified', 'delivered', 'failed', 'lost']).meta({
      description:
        '`sent`: waiting to be final and verified. `verified`: waiting to be delivered. `failed`: delivering failed; ' +
        '`retry` tries again, for anyone. `lost`: the block that sent it is gone, and the tokens never left.',
    }),
    guid: z.string().meta({ description: 'LayerZero’s id of the message.' }),
    nonce: z.int().positive().meta({ description: 'Its number among those of the same way.' }),
    fromChain: z.string().meta({ description: 'Slug of the chain that it left.' }),
    toChain: z.string().meta({ description: 'Slug of the chain that it goes to.' }),
    confirmationsLeft: z.int().nonnegative().meta({ description: 'Blocks of `fromChain` until it may be verified.' }),
    attempts: z.int().nonnegative().meta({ description: 'Deliveries that failed.' }),
    reason: z.string().nullable().meta({ description: 'Why the newest of them failed.' }),
    hash: z.string().nullable().meta({ description: 'Of the transaction that delivered it.' }),
    retry: TransactionItem.nullable().meta({ description: 'Delivers it; any wallet may send it.' }),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.output<typeof Delivery>;

const Status = z.enum(['queued', 'sent', 'mined', 'reverted', 'final', 'failed']);

/** What a call with an Idempotency-Key had executed on one chain. */
export const KeyedIntent = z
  .strictObject({
    intentId: Uuid,
    chainSlug: z.string().meta({ description: 'Where it was sent.' }),
    status: Status.meta({ description: 'How far it is.' }),
    hash: z.string().meta({ description: "Hash of its last transaction; '' before it is signed." }),
    unsure: z.literal(true).optional().meta({ description: 'There while no two providers agree.' }),
    error: z.string().nullable().meta({ description: 'Why it failed; null when it did not.' }),
  })
  .meta({ id: 'KeyedIntent' });
export type KeyedIntent = z.output<typeof KeyedIntent>;

export const transactionStatus = operation({
  name: 'transactionStatus',
  summary: 'Returns the status of a transaction of one of the caller’s wallets.',
  description:
    'Send `intentId` for the transactions that one call executed on one chain, `idempotencyKey` for all transactions ' +
    'of the call that had this key, or `hash` for one transaction. The hash of a transaction that was replaced is ' +
    'still found, and the answer has the hash of the replacement. Transactions that this service did not send are ' +
    'read from the chain, so they need `chainSlug`.\n\n' +
    '`queued`: not sent yet. `sent`: sent, in no block yet. `mined`: in a block, succeeded. `reverted`: in a block, ' +
    'failed. A reorganisation can undo the last two; `final` and `failed` do not change any more. Where a chain has ' +
    'several providers, two of them must agree. While no two agree, `unsure` is true: do not send the transaction ' +
    'again before that ends.',
  method: 'POST',
  path: '/transactions/status',
  tag: 'Trading',
  input: z.object({
    hash: optional(AskedHash).meta({ description: 'Of one transaction.' }),
    guid: optional(AskedHash).meta({ description: 'Of a message from `chainSlug` to another chain; of anyone.' }),
    chainSlug: optional(ChainSlug).meta({ description: 'Where `hash` or `guid` was sent.' }),
    intentId: optional(Uuid).meta({ description: 'As the call that executed answered it.' }),
    idempotencyKey: optional(IdempotencyKey).meta({
      description: '`Idempotency-Key` of one of your own calls, also of a call that got no answer.',
    }),
  }),
  output: z.strictObject({
    success: z.literal(true),
    status: Status.meta({
      description:
        'Of several transactions: `failed` or `reverted` if one of them is, else that of the least advanced.',
    }),
    hash: z.string().meta({ description: "Of an intent: hash of its last transaction; '' before it is signed." }),
    blockNumber: z.int().nullable().meta({ description: 'Block that contains it; null while it is in none.' }),
    unsure: z.literal(true).optional().meta({
      description: 'Present while the providers of the chain disagree about it: do not send it again.',
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed or was reverted, or that it is unsure; null otherwise.' }),
    delivery: optional(Delivery).meta({
      description: 'Of a transaction that sent a message to another chain; of several messages the least advanced one.',
    }),
    deliveries: optional(z.array(Delivery)).meta({
      description: 'Of each message that the transaction sent: a token may be deployed on several chains by one.',
    }),
    intents: optional(z.array(KeyedIntent)).meta({
      description:
        'With `idempotencyKey`: one item per intent; a claim has one intent per chain, a creation with `destinationChains` a second one for them.',
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'UNSUPPORTED_CHAIN', 'TRANSACTION_NOT_FOUND', 'NETWORK_ERROR'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
});
