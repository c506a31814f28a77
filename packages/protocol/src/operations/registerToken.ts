import { z } from 'zod';
import { announcementFees } from '../schemas/announcementFees.ts';
import { executeOption, executionAnswer, executionErrors } from '../schemas/executionParts.ts';
import { TransactionItem } from '../schemas/prepared.ts';
import { AddressText, ChainSlug, IsoTime, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const registerToken = operation({
  name: 'registerToken',
  summary: 'Prepares a transaction that makes a token known on other chains before any of it is sent there.',
  description:
    'Anyone may, for any token, on its home chain: one message a chain, none of which waits for another. Without it the ' +
    'first transfer to a chain does the same.',
  method: 'POST',
  path: '/register-token',
  tag: 'Trading',
  input: z.object({
    token_id: TokenRef,
    chains: z.array(ChainSlug).min(1).max(32).meta({ description: 'Where the token is to be known.' }),
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
      tokenId: Uuid.meta({ description: 'Id of the token.' }),
      fromChain: ChainSlug.meta({ description: 'Its home chain, where this is sent.' }),
      ...announcementFees,
      estimatedSeconds: z.int().nonnegative().meta({ description: 'How long the slowest message usually takes.' }),
      expiresAt: IsoTime.meta({ description: 'When the fee is out of date: after 60 s.' }),
    }),
  }),
  errors: ['UNSUPPORTED_CHAIN', 'TOKEN_NOT_FOUND', 'ROUTE_PAUSED', 'TOKEN_REGISTERED', ...executionErrors],
  access: 'caller',
  scope: 'prepare',
  limit: 'writeWhenExecuted',
  errorShape: 'A',
  example: {
    token_id: 'mintage',
    chains: ['unichain-testnet'],
    wallet_address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  },
});
