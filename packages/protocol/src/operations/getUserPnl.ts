import { z } from 'zod';
import { chainFilter, limitUpTo, offsetUpTo, TotalPage } from '../schemas/paging.ts';
import { ShownPlatformId } from '../schemas/platformId.ts';
import { Address, BaseUnits, ChainSlug, DecimalText, IsoTime, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const worth = {
  valueUsd: DecimalText.meta({ description: 'At the price of the last trade; a sale gives less.' }),
  costUsd: DecimalText.meta({
    description: 'What the held tokens did cost, fees included, by average cost; those of unknown cost left out.',
  }),
  unrealisedUsd: DecimalText.meta({ description: 'Value of the held tokens whose cost is known, less costUsd.' }),
  realisedUsd: DecimalText.meta({
    description: 'What sales of tokens of known cost brought after fees, less what these had cost.',
  }),
};

const Position = z
  // Loose for the deployment's own name of the platform id.
  .looseObject({
    tokenId: Uuid,
    platformId: ShownPlatformId,
    name: z.string(),
    symbol: z.string(),
    slug: z.string(),
    logo: z.string().optional().meta({ description: 'Absent when the token was not created through this service.' }),
    chainSlug: ChainSlug,
    tokenAddress: Address,
    balance: DecimalText,
    balanceRaw: BaseUnits,
    priceUsd: DecimalText,
    ...worth,
    averageCostUsd: DecimalText.nullable().meta({
      description: 'Of one whole token of known cost; null when none is held.',
    }),
    unpricedTokens: DecimalText.meta({
      description:
        'Part of the balance whose cost is unknown: received from the pool through a router of somebody else.',
    }),
    boughtUsd: DecimalText.meta({ description: 'Paid in all buys, fees included.' }),
    boughtTokens: DecimalText,
    soldUsd: DecimalText.meta({ description: 'Received in all sales, fees taken off.' }),
    soldTokens: DecimalText,
    firstAcquired: IsoTime,
  })
  .meta({ id: 'Position' });

export const getUserPnl = operation({
  name: 'getUserPnl',
  summary: "Profit and loss of the caller's wallets, in sum and by token, sold-out tokens included.",
  description: [
    'By average cost: a buy costs what was paid, a sale realises what it brought less its share of the cost, and tokens',
    'that are given or received take their share of the cost along, so a gift neither makes nor loses money. A swap by a',
    'router of somebody else is nobody’s buy or sale: tokens that come from it have an unknown cost. Most valuable first,',
    'then most realised. The sums are over all tokens, not over the page.',
  ].join(' '),
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
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: { limit: 20 },
});
