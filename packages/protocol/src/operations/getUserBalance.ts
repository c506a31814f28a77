import { z } from 'zod';
import { limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const UserBalance = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    tokenId: Uuid,
    platform_id: ShownPlatformId,
    chainSlug: ChainSlug,
    chainId: z.int(),
    walletAddress: AddressText,
    tokenAddress: AddressText,
    balance: BaseUnits.meta({ description: 'Base units of the token.' }),
    balanceFormatted: DecimalText,
    decimals: z.int(),
    valueUsd: DecimalText.meta({ description: 'USD at the price of the last trade; a sale yields less.' }),
  })
  .meta({ id: 'UserBalance' });

export const getUserBalance = operation({
  name: 'getUserBalance',
  summary: 'Lists each balance of the caller’s wallets, of one token or of all, most valuable token first.',
  description: 'A page has `limit` tokens, each with a row per wallet that holds it; `totalUsd` is over all pages.',
  method: 'POST',
  path: '/get-user-balance',
  tag: 'Account',
  input: z.object({
    token_id: optional(TokenRef).meta({ description: 'Only this token.' }),
    chain_id: optional(z.int('must be a whole number')).meta({
      description: 'EIP-155 id: only this chain. A chain that is not served here matches nothing.',
    }),
    limit: limitUpTo(500, 500),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({
    success: z.literal(true),
    data: z.object({ balances: z.array(UserBalance), totalUsd: DecimalText }),
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { chain_id: 84532 },
});
