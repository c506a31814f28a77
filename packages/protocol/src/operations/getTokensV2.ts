import { z } from 'zod';
import { limitUpTo, offsetUpTo, Page } from '../schemas/paging.ts';
import { readWarnings } from '../schemas/readWarnings.ts';
import { AddressText, ChainSlug, optional, Uuid } from '../schemas/scalars.ts';
import { LaunchStage, TokenRecord } from '../schemas/tokenRecord.ts';
import { operation } from './operation.ts';

export const tokenOrders = [
  'volume_1m',
  'volume_5m',
  'volume_1h',
  'volume_24h',
  'market_cap',
  'price_change_24h',
  'trx',
  'holders',
  'created_at',
] as const;

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

export const Hashtag = z
  .string()
  .trim()
  .min(1)
  .max(32)
  .overwrite((tag) => tag.normalize('NFC'));

export const getTokensV2 = operation({
  name: 'getTokensV2',
  summary: 'Lists tokens that match all given filters, in the given order.',
  description:
    'A search looks at a bounded number of tokens: all of them where the keyword or a filter is on few, else the first of the order. Where ' +
    'that leaves some out, `warnings` has `SEARCH_LIMITED`. ' +
    '`price_change_24h` orders by the change in USD. Volumes and changes cover the time before the newest indexed ' +
    'block of the token’s chain. While a chain is indexed for the first time they are null, and its tokens are left ' +
    'out of lists ordered by them. Equal values are ordered by id, so pages do not overlap.',
  method: 'POST',
  path: '/get-tokens-v2',
  tag: 'Tokens',
  input: z.object({
    hashtags: optional(z.array(Hashtag).max(10)).meta({ description: 'The token must have all of them.' }),
    keyword: optional(z.string().trim().max(128)).meta({
      description:
        'Part of the name, symbol or description, or the whole platform id or contract address; case does not matter.',
    }),
    chains: optional(z.array(ChainSlug).max(64)).meta({
      description: 'The token is deployed on one of them; absent or empty means all chains.',
    }),
    builder_code: optional(AddressText).meta({ description: 'Only tokens that were created through this builder.' }),
    stage: optional(LaunchStage).meta({
      description:
        'Also sets the default order: new by creation, graduating by progress, graduated by time of graduation.',
    }),
    order_by: optional(oneOf(tokenOrders)).meta({
      description: 'Absent: the order of the stage, else created_at.',
    }),
    order_direction: oneOf(['ASC', 'DESC']).default('DESC').meta({ description: 'Absent means DESC.' }),
    limit: limitUpTo(100, 20),
    offset: offsetUpTo(10_000),
    token_ids: optional(z.array(Uuid).max(100)).meta({
      description: 'Only these tokens, by their id, as far as they are known; absent means all.',
    }),
    verified_only: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Only tokens that are shown with a platform id: every listed one, or the graduated ones where the deployment holds ' +
          'it back until then.',
      }),
  }),
  output: z.object({
    success: z.literal(true),
    tokens: z.array(TokenRecord),
    pagination: Page,
    warnings: readWarnings,
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { order_by: 'volume_24h', limit: 20 },
});
