import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, IsoTime, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const ChainBalance = z.object({
  chain: ChainSlug,
  chainSlug: ChainSlug,
  balance: BaseUnits.meta({ description: 'Base units of the token.' }),
  balanceFormatted: DecimalText,
  walletAddress: AddressText,
  tokenAddress: AddressText,
  decimals: z.int(),
  eid: z.int(),
  createdAt: IsoTime.meta({ description: 'When the wallet first held the token.' }),
  priceUsd: z.number().nonnegative().meta({ description: 'Of the curve or pool after its last trade.' }),
  valueUsd: z.number().nonnegative().meta({ description: 'Balance at that price; a sale gives less.' }),
});

export const getUserPortfolio = operation({
  name: 'getUserPortfolio',
  summary: 'Lists the tokens that the caller’s wallets hold, grouped by token over all chains, most valuable first.',
  description: 'A page has `limit` tokens. `totalValueUsd` and `totalTokensCount` are over all pages.',
  method: 'POST',
  path: '/get-user-portfolio',
  tag: 'Account',
  input: z.object({ chains: chainFilter, limit: limitUpTo(500, 500), offset: offsetUpTo(10_000) }),
  output: z.object({
    success: z.literal(true),
    data: z.object({
      tokens: z.array(
        // Loose for the deployment's own name of the platform id.
        z.looseObject({
          tokenId: Uuid,
          name: z.string(),
          symbol: z.string(),
          slug: z.string(),
          totalBalanceUsd: z.number().nonnegative(),
          chainBalances: z.array(ChainBalance),
          availableChains: z.array(ChainSlug).meta({ description: 'Where the token is deployed.' }),
          logo: z
            .string()
            .optional()
            .meta({ description: 'Absent when the token was not created through this service.' }),
          platformId: ShownPlatformId,
          firstAcquired: IsoTime,
        }),
      ),
      totalValueUsd: z.number().nonnegative(),
      totalTokensCount: z.int().nonnegative(),
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { chains: ['base-sepolia'] },
});
