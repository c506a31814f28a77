import { z } from 'zod';
import { chainFilter } from '../schemas/paging.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { ChainSlug, DecimalText } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const count = z.int().nonnegative();

export const getMarketSummary = operation({
  name: 'getMarketSummary',
  summary: 'Counts the tokens of this service by stage, and sums up the last 24 hours.',
  description:
    'The last 24 hours of a chain end at its newest indexed block; their figures are null while no chain of the question knows them. Figures are kept for a hundred times as long as counting ' +
    'them takes: a moment on a small deployment, up to ten seconds on one with 100,000 tokens.',
  method: 'POST',
  path: '/get-market-summary',
  tag: 'Tokens',
  input: z.object({ chains: chainFilter }),
  output: z.strictObject({
    success: z.literal(true),
    warnings: readWarnings,
    chains: z
      .array(ChainSlug)
      .meta({ description: 'Served chains that were asked for: all that is counted is on them.' }),
    catching_up: z.array(ChainSlug).meta({
      description:
        'Those whose index is not near their head: their tokens are counted as far as they are known, and their last 24 hours are ' +
        'left out.',
    }),
    tokens: count.meta({ description: 'Tokens with their home there.' }),
    by_stage: z
      .strictObject({
        new: count.meta({ description: 'Tokens at the start of their curve.' }),
        graduating: count.meta({ description: 'Tokens near the end of their curve.' }),
        graduated: count.meta({ description: 'Tokens that trade on an exchange.' }),
      })
      .meta({ description: 'The same tokens by stage; the three add up to `tokens`.' }),
    created_24h: count.nullable().meta({ description: 'Tokens that were created in the last 24 hours.' }),
    volume_24h_usd: DecimalText.nullable().meta({
      description: 'Gross, fees included, of all trades on curves and pools.',
    }),
    paid_to_creators_24h_usd: DecimalText.nullable().meta({
      description:
        'Credited to creators, of fees and graduations, claimed or not. What pools of Uniswap v3 and PancakeSwap v3 earn in tokens ' +
        'is not in it.',
    }),
    traders_24h: count.nullable().meta({
      description:
        'Wallets that traded; one that traded on two chains counts on each. Swaps by foreign routers have no trader.',
    }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { chains: ['base'] },
});
