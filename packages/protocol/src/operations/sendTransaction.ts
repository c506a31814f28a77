import { z } from 'zod';
import { acknowledgeOption, executionErrors } from '../schemas/executionParts.ts';
import { Warning } from '../schemas/quoteParts.ts';
import { AddressText, BaseUnits, ChainSlug, optional, SentHash, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const sendTransaction = operation({
  name: 'sendTransaction',
  summary: 'Sends a transaction from the caller’s embedded wallet.',
  description:
    'The transaction is simulated first, after the wallet’s own pending transactions; if it would fail, it is refused ' +
    'with the reason and nothing is sent. The answer comes once the transaction is signed, before it is mined: ' +
    '`/transactions/status` returns the result. Every item of the `transactions` that this service prepares can be ' +
    'sent this way: `amount` is the item’s `value`. Builder fees, limits and approvals are read from `data`; unusual ' +
    'ones must be repeated in `acknowledge`. With `usd` it sends dollars to `to`, which is then a wallet.',
  method: 'POST',
  path: '/send-transaction',
  tag: 'Trading',
  input: z.object({
    to: AddressText.meta({ description: 'Who receives; with `data` the contract that is called.' }),
    amount: optional(BaseUnits).meta({ description: 'Native coin, base units; absent: 0.' }),
    chainSlug: ChainSlug.meta({ description: 'Where it is sent.' }),
    data: optional(
      z
        .string()
        .regex(/^0x([a-fA-F0-9]{2})*$/, 'must be hex: 0x and an even number of digits')
        .max(2 + 2 * 65_536, 'must be at most 65536 bytes'),
    ).meta({ description: 'Calldata; on Solana a whole prepared transaction. Absent: none.' }),
    usd: optional(BaseUnits).meta({
      description:
        'Sends so many dollars to `to`: base units of the chain’s `dollarToken`, more than zero; without `amount` and `data`.',
    }),
    ...acknowledgeOption,
  }),
  output: z.strictObject({
    success: z.literal(true),
    hash: SentHash.meta({ description: 'Of the transaction.' }),
    intentId: Uuid.meta({ description: 'For `/transactions/status`; stays when a replacement changes the hash.' }),
    warnings: z.array(Warning),
  }),
  errors: ['AUTHENTICATION_FAILED', 'UNSUPPORTED_CHAIN', 'SLIPPAGE_TOO_HIGH', ...executionErrors],
  access: 'caller',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
  example: { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', amount: '1000000000000000', chainSlug: 'base-sepolia' },
});
