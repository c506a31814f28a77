import { z } from 'zod';
import { operation } from '../operation.ts';
import { ChainSlug, optional, Uuid } from '../scalars.ts';

export const transactionStatus = operation({
  name: 'transactionStatus',
  summary: "What became of a transaction of one of the caller's wallets.",
  description:
    'Send `intentId` for everything that one call had executed, or `hash` for one transaction. A hash that a ' +
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
  }),
  output: z.strictObject({
    success: z.literal(true),
    status: z.enum(['queued', 'sent', 'mined', 'reverted', 'final', 'failed']),
    hash: z.string().meta({ description: "Of an intent, of its last transaction; '' before it is signed." }),
    blockNumber: z.int().nullable().meta({ description: 'Null while no block holds it.' }),
    unsure: z.literal(true).optional().meta({
      description: 'Present while the providers of the chain do not say the same about it: do not send it again.',
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed or was reverted, or that it is unsure; null otherwise.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'UNSUPPORTED_CHAIN', 'TRANSACTION_NOT_FOUND', 'NETWORK_ERROR'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
});
