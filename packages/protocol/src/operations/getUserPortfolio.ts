import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, BaseUnits, ChainSlug, DecimalText, IsoTime, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const ChainBalance = z.object({
  chain: ChainSlug.meta({ description: 'The chain.' }),
  chainSlug: ChainSlug.meta({ description: 'The same.' }),
  balance: BaseUnits.meta({ description: 'Base units of the token.' }),
  balanceFormatted: DecimalText.meta({ description: '`balance` in whole units.' }),
  walletAddress: AddressText.meta({ description: 'Wallet that holds it.' }),
  tokenAddress: AddressText.meta({ description: 'Contract address of the token.' }),
  decimals: z.int().meta({ description: 'Of the token.' }),
  eid: z.int().meta({ description: 'LayerZero’s id of the chain.' }),
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
    warnings: readWarnings,
    data: z.object({
      tokens: z.array(
        // Loose for the deployment's own name of the platform id.
        z.looseObject({
          tokenId: Uuid.meta({ description: 'Id of the token.' }),
          name: z.string().meta({ description: 'Name of the token.' }),
          symbol: z.string().meta({ description: 'Ticker of the token.' }),
          slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
          totalBalanceUsd: z.number().nonnegative().meta({ description: 'Value of the token on all chains.' }),
          chainBalances: z.array(ChainBalance).meta({ description: 'One a wallet and chain.' }),
          availableChains: z.array(ChainSlug).meta({ description: 'Where the token is deployed.' }),
          logo: z
            .string()
            .optional()
            .meta({ description: 'Absent when the token was not created through this service.' }),
          platformId: ShownPlatformId,
          firstAcquired: IsoTime.meta({ description: 'When one of the wallets first held it.' }),
        }),
      ),
      totalValueUsd: z.number().nonnegative().meta({ description: 'Value of all tokens.' }),
      totalTokensCount: z.int().nonnegative().meta({ description: 'All tokens that are held.' }),
    }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { chains: ['base-sepolia'] },
});
