import { z } from 'zod';
import { executeOption, executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { TransactionItem } from '../schemas/prepared.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const transferToken = operation({
  name: 'transferToken',
  summary: 'Prepares a transfer of a token to another wallet on the same chain.',
  description: 'A transfer to another chain answers `UNSUPPORTED_CHAIN` until tokens can cross chains.',
  method: 'POST',
  path: '/transfer-token',
  tag: 'Trading',
  input: z.object({
    token_id: TokenRef,
    recipient_address: AddressText,
    amount: DecimalText.meta({ description: 'Whole tokens as decimal text, more than zero.' }),
    from_chain_slug: ChainSlug,
    to_chain_slug: ChainSlug,
    wallet_address: optional(AddressText).meta({
      description: 'The wallet that will send the transaction. Absent: your embedded wallet.',
    }),
    ...executeOption,
  }),
  output: z.strictObject({
    success: z.literal(true),
    ...executionAnswer,
    transaction: TransactionItem,
    transactions: z.array(TransactionItem).min(1),
    metadata: z.strictObject({
      crossChain: z.literal(false),
      tokenId: Uuid,
      amount: DecimalText,
      amountRaw: BaseUnits,
      fromChain: ChainSlug,
      toChain: ChainSlug,
      nativeFee: BaseUnits.meta({ description: 'Paid on top for the way to another chain.' }),
      estimatedSeconds: z.int().nonnegative(),
    }),
  }),
  errors: ['UNSUPPORTED_CHAIN', 'TOKEN_NOT_FOUND', ...executionErrors],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'A',
  example: {
    token_id: 'mintage',
    recipient_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    amount: '100.5',
    from_chain_slug: 'base-sepolia',
    to_chain_slug: 'base-sepolia',
    wallet_address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  },
});
