import { z } from 'zod';
import { ChainSlug, IdempotencyKey, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const Status = z.enum(['queued', 'sent', 'mined', 'reverted', 'final', 'failed']);

/** What a call with an Idempotency-Key had executed on one chain. */
export const KeyedIntent = z
  .strictObject({
    intentId: Uuid,
    chainSlug: z.string(),
    status: Status,
    hash: z.string().meta({ description: "Of its last transaction; '' before it is signed." }),
    unsure: z.literal(true).optional(),
    error: z.string().nullable(),
  })
  .meta({ id: 'KeyedIntent' });
export type KeyedIntent = z.output<typeof KeyedIntent>;

export const transactionStatus = operation({
  name: 'transactionStatus',
  summary: "What became of a transaction of one of the caller's wallets.",
  description:
    'Send `intentId` for everything that one call had executed on one chain, `idempotencyKey` for everything that the call ' +
    'with this key had executed, or `hash` for one transaction. A hash that a ' +
    'replacement superseded still finds its transaction, and the answer has the hash that counts. Transactions that ' +
    'this service did not send are read from the chain, so they need `chainSlug`.\n\n' +
    '`queued`: not sent yet. `sent`: no block holds it yet. `mined`: a block holds it, and it succeeded there. ' +
    '`reverted`: a block holds it, and it failed there. A reorganisation may still undo both; `final` and `failed` ' +
    'stay. Where a chain has several providers, two of them say so. While no two say the same, `unsure` is true: ' +
    'do not send it again before that ends.',
  method: 'POST',
  path: '/transactions/status',
  tag: 'Trading',
  input: z.object({
    hash: optional(z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash: 0x and 64 hex digits')),
    chainSlug: optional(ChainSlug),
    intentId: optional(Uuid),
    idempotencyKey: optional(IdempotencyKey).meta({
      description: 'One of your own, also when its call got no answer.',
    }),
  }),
  output: z.strictObject({
    success: z.literal(true),
    status: Status.meta({ description: 'Of several, `failed` or `reverted` when one is, else of the hindmost.' }),
    hash: z.string().meta({ description: "Of an intent, of its last transaction; '' before it is signed." }),
    blockNumber: z.int().nullable().meta({ description: 'Null while no block holds it.' }),
    unsure: z.literal(true).optional().meta({
      description: 'Present while the providers of the chain do not say the same about it: do not send it again.',
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed or was reverted, or that it is unsure; null otherwise.' }),
    intents: optional(z.array(KeyedIntent)).meta({
      description: 'With `idempotencyKey`: each one; a claim has one per chain.',
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'UNSUPPORTED_CHAIN', 'TRANSACTION_NOT_FOUND', 'NETWORK_ERROR'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
});
