import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo, TotalPage } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import {
  AddressText,
  BaseUnits,
  ChainSlug,
  DecimalText,
  IsoTime,
  optional,
  TokenRef,
  Uuid,
} from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const worth = {
  valueUsd: DecimalText.meta({ description: 'USD at the price of the last trade; a sale yields less.' }),
  costUsd: DecimalText.meta({
    description: 'USD. Average cost of the held tokens, fees included; tokens of unknown cost are left out.',
  }),
  unrealisedUsd: DecimalText.meta({
    description: 'USD. Value of the held tokens whose cost is known, minus `costUsd`.',
  }),
  realisedUsd: DecimalText.meta({
    description:
      'USD. Proceeds of sales after fees minus the cost of the tokens sold; tokens of unknown cost are left out.',
  }),
};

const Position = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    tokenId: Uuid.meta({ description: 'Id of the token.' }),
    platformId: ShownPlatformId,
    name: z.string().meta({ description: 'Name of the token.' }),
    symbol: z.string().meta({ description: 'Ticker of the token.' }),
    slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
    logo: z.string().optional().meta({ description: 'Absent when the token was not created through this service.' }),
    chainSlug: ChainSlug.meta({ description: 'Chain of this position.' }),
    tokenAddress: AddressText.meta({ description: 'Contract address of the token.' }),
    balance: DecimalText.meta({ description: 'Tokens that are held.' }),
    balanceRaw: BaseUnits.meta({ description: '`balance`, in the token’s base units.' }),
    priceUsd: DecimalText.meta({ description: 'Of one token, after the last trade.' }),
    ...worth,
    averageCostUsd: DecimalText.nullable().meta({
      description: 'USD per whole token; null when no token of known cost is held.',
    }),
    unpricedTokens: DecimalText.meta({
      description: 'Part of the balance whose cost is unknown: received from the pool through another router.',
    }),
    boughtUsd: DecimalText.meta({ description: 'USD paid in all buys, fees included.' }),
    boughtTokens: DecimalText.meta({ description: 'Tokens of all buys.' }),
    soldUsd: DecimalText.meta({ description: 'USD received in all sales, after fees.' }),
    soldTokens: DecimalText.meta({ description: 'Tokens of all sales.' }),
    firstAcquired: IsoTime.meta({ description: 'When one of the wallets first held it.' }),
  })
  .meta({ id: 'Position' });

export const getUserPnl = operation({
  name: 'getUserPnl',
  summary:
    'Returns the profit and loss of the caller’s wallets, in total and by token, tokens that were sold out included.',
  description:
    'Computed by average cost. A buy adds what was paid, fees included; a sale realises what it brought minus its ' +
    'share of the cost. Tokens that are given or received carry their share of the cost along, so a gift is neither ' +
    'gain nor loss. A swap through another router counts neither as buy nor as sale: the cost of tokens from it is ' +
    'unknown. Ordered by value, then by realised gain. The totals cover all tokens, not only the page.',
  method: 'POST',
  path: '/get-user-pnl',
  tag: 'Account',
  input: z.object({
    token_id: optional(TokenRef).meta({ description: 'Only this token.' }),
    chains: chainFilter,
    limit: limitUpTo(500, 100),
    offset: offsetUpTo(10_000),
  }),
  output: z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ ...worth, tokens: z.array(Position), pagination: TotalPage }),
    warnings: readWarnings,
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { limit: 20 },
});
