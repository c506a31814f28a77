import { z } from 'zod';
import { PlatformId } from '../schemas/platformId.ts';
import { ChainSlug, IsoTime, Uuid } from '../schemas/scalars.ts';
import { TokenAddress, Unlisted } from '../schemas/tokenRecord.ts';
import { operation } from './operation.ts';

const AboutChain = z.object({
  chain: ChainSlug.meta({ description: 'Slug of the chain.' }),
  platform_name: z.string().meta({ description: 'Name of this service.' }),
  address: z.string().meta({ description: 'Contract address there.' }),
  address_display: z.string().nullable().meta({ description: 'Always null: `address` is shown as it is.' }),
  address_type: z.enum(['evm', 'sol']).meta({ description: 'Family of the address.' }),
  is_registered: z.boolean().meta({ description: 'Whether it is known there.' }),
  is_origin_chain: z.boolean().meta({ description: 'Whether it is the home chain.' }),
  sources: z
    .array(z.string())
    .meta({ description: 'Which contract told it: the Launchpad, or the bridge’s registry.' }),
  source_events: z.array(z.string()).meta({ description: 'By which kind of event.' }),
  eid: z.int().nullable().meta({ description: 'LayerZero’s id of the chain.' }),
});

/** A pool of a graduated token; loose for the deployment's own names of the platform ids. */
export const AboutPool = z.looseObject({
  chain: ChainSlug.meta({ description: 'Slug of the chain.' }),
  dex: z.string().meta({ description: 'The exchange.' }),
  contract_address: z.string().meta({ description: 'The Uniswap v4 PoolManager, or the factory of a v3 exchange.' }),
  pool_address: z.string().meta({ description: 'The Uniswap v4 pool id, or the address of a pool on a v3 exchange.' }),
  token_address: z.string().meta({ description: 'Contract address of the token.' }),
  token_a_address: z.string().meta({ description: 'The pool’s currency 0.' }),
  token_b_address: z.string().meta({ description: 'The pool’s currency 1.' }),
  platform_id: PlatformId,
  token_a_platform_id: PlatformId.nullable().meta({ description: 'Of currency 0; null of dollars.' }),
  token_b_platform_id: PlatformId.nullable().meta({ description: 'Of currency 1; null of dollars.' }),
  fee: z.string().nullable().meta({ description: 'Basis points of every swap.' }),
  initial_price: z.string().nullable().meta({ description: 'USD.' }),
  tx_hash: z.string().meta({ description: 'Transaction that made the pool.' }),
  evt_block_number: z.int().meta({ description: 'Block that it is in.' }),
  evt_index: z.int(),
  evt_block_time: IsoTime.meta({ description: 'Time of that block.' }),
});

/** Everything about one token that does not change with each trade; loose for the deployment's own name of the id. */
export const TokenAbout = z
  .looseObject({
    id: Uuid,
    token_id: Uuid,
    external_id: z.number().nullable().meta({ description: 'Always null: no other service is followed.' }),
    external_provider_id: z.string().nullable().meta({ description: 'Always null: no other service is followed.' }),
    platform_id: PlatformId.nullable(),
    name: z.string().meta({ description: 'Name of the token.' }),
    symbol: z.string().meta({ description: 'Ticker of the token.' }),
    slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
    description: z.string().nullable().meta({ description: 'As the creator gave it.' }),
    logo: z.string().nullable().meta({ description: 'Address of the picture.' }),
    banner_url: z.string().nullable().meta({ description: 'Address of the wide picture.' }),
    video_url: z.string().nullable().meta({ description: 'Address of the video.' }),
    graduated: z.boolean().nullable().meta({ description: 'Whether it has left the curve.' }),
    graduated_at: IsoTime.nullable().meta({ description: 'When it left the curve; null: it has not.' }),
    origin_chain: ChainSlug.nullable().meta({ description: 'Home chain.' }),
    origin_endpoint_id: z.int().nullable().meta({ description: 'LayerZero’s id of the home chain.' }),
    builder_code: z
      .string()
      .nullable()
      .meta({ description: 'Address of the app that it was created with; null: none was named.' }),
    primary_evm_address: z.string().nullable().meta({ description: 'Contract address, the same on all EVM chains.' }),
    primary_solana_address: z
      .string()
      .nullable()
      .meta({ description: 'Its address on Solana; null while it has none.' }),
    created_at: IsoTime.meta({ description: 'When it was created.' }),
    updated_at: IsoTime.meta({ description: 'Time of the last trade, else of the creation.' }),
    token_addresses: z.array(TokenAddress).meta({ description: 'The token on each of its chains.' }),
    registered_chains: z.array(AboutChain).meta({ description: 'Chains on which it is known.' }),
    dex_pools: z.array(AboutPool).meta({ description: 'Its pools; none before graduation.' }),
    token_address_count: z.int().meta({ description: 'Entries of `token_addresses`.' }),
    registered_chain_count: z.int().meta({ description: 'Entries of `registered_chains`.' }),
    dex_pool_count: z.int().meta({ description: 'Entries of `dex_pools`.' }),
    unlisted: Unlisted.optional(),
  })
  .meta({ id: 'TokenAbout' });

/** With the few figures that tell two tokens of one name apart. */
const FoundToken = TokenAbout.extend({
  price_usd: z.number().nullable().meta({ description: 'USD of one token, after the last trade.' }),
  market_cap: z.number().nullable().meta({ description: 'USD. Price times the whole supply.' }),
  holders_count: z.int().nonnegative(),
}).meta({ id: 'FoundToken' });

export const searchToken = operation({
  name: 'searchToken',
  summary: 'Finds one token by id, platform id, contract address, slug, symbol or part of its name.',
  description:
    'A token that an operator took out of lists is found by id, platform id and contract address alone. ' +
    'Returns the first match in this order: id, platform id, contract address, slug, symbol, whole name, start of a ' +
    'name, part of a name; among equals the token with most holders, then the oldest. No match is `success: false` ' +
    'with status 200.',
  method: 'POST',
  path: '/search-token',
  tag: 'Tokens',
  input: z.object({
    input: z
      .string()
      .trim()
      .min(1, 'must name a token: id, platform id, contract address, slug, symbol or part of a name')
      .max(128, 'must be at most 128 characters')
      .meta({ description: 'Id, platform id, contract address, slug, symbol or a part of the name.' }),
  }),
  output: z.object({
    success: z.boolean().meta({ description: 'Whether a token was found.' }),
    token: FoundToken.nullable().meta({ description: 'What was found; null: nothing.' }),
    error: z.string().optional().meta({ description: 'Why there is no token, for people.' }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { input: 'mintage' },
});
