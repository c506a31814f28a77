import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo } from '../schemas/paging.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, Uuid } from '../schemas/scalars.ts';
import { historyDescription } from '../schemas/tokenHistory.ts';
import { TradeRecord } from './getTokenTrades.ts';
import { operation } from './operation.ts';

export const getWalletTrades = operation({
  name: 'getWalletTrades',
  summary: 'Lists the trades of any wallet, over all tokens and chains.',
  description: historyDescription,
  method: 'POST',
  path: '/get-wallet-trades',
  tag: 'Tokens',
  input: z.object({
    wallet: AddressText,
    chains: chainFilter,
    limit: limitUpTo(100, 20),
    offset: offsetUpTo(10_000),
  }),
  output: z.object({
    success: z.literal(true),
    warnings: readWarnings,
    activities: z.array(
      TradeRecord.extend({
        token: z.strictObject({
          id: Uuid,
          name: z.string().meta({ description: 'Name of the token.' }),
          symbol: z.string().meta({ description: 'Ticker of the token.' }),
          slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
          logo: z.string().nullable().meta({ description: 'Address of its picture.' }),
        }),
      }),
    ),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', limit: 20 },
});
