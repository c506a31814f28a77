import { z } from 'zod';
import { PlatformId } from './platformId.ts';
import { ChainSlug, IsoTime, Uuid } from './scalars.ts';

export const LaunchStage = z
  .enum(['new', 'graduating', 'graduated'], { error: 'must be new, graduating or graduated' })
  .meta({ id: 'LaunchStage', description: 'graduating: at least 75 % of the curve is sold.' });

/** One chain of a token: where it was created, or where it is meant to go. */
export const TokenAddress = z
  .object({
    id: Uuid,
    token_id: Uuid,
    chain: ChainSlug,
    platform_name: z.string(),
    address: z.string().meta({ description: "'' where the token is not deployed yet and its address is not known." }),
    address_display: z.string().nullable(),
    address_type: z.enum(['evm', 'sol']),
    is_registered: z
      .boolean()
      .meta({ description: 'False for a chain that the token is planned for but not deployed on.' }),
    registration: z.enum(['none', 'sent', 'registered', 'failed']).meta({
      description:
        'sent: a message that makes it is on its way there; failed: its delivery was refused, and can be repeated.',
    }),
    tx_hash: z
      .string()
      .nullable()
      .meta({ description: 'Of the creation or registration; of what sent it, while it is on its way.' }),
    updated_at: IsoTime,
    created_at: IsoTime,
    decimals: z.int(),
    eid: z.int().nullable(),
    dex_name: z.string().nullable(),
    dex_address: z
      .string()
      .nullable()
      .meta({ description: 'The Uniswap v4 pool id, or the address of a pool on a v3 exchange.' }),
  })
  .meta({ id: 'TokenAddress' });

const text = z.string().nullable();

/** What the token's metadata says; loose for the deployment's own name of the id. */
const TokenMeta = z
  .looseObject({
    token_uri: z.string(),
    resolved_metadata_url: text,
    image_url: text,
    image_storage_path: text,
    image_storage_url: text,
    banner_url: text,
    name: text,
    symbol: text,
    description: text,
    created_on: text.meta({ description: 'Address of the app that it was created with.' }),
    platform_id: PlatformId.nullable(),
    token: text.meta({ description: 'Contract address.' }),
    website: text,
    twitter_url: text,
    discord_url: text,
    telegram_url: text,
    farcaster_url: text,
    github_url: text,
    hashtags: z.array(z.string()),
    fetched_at: IsoTime,
    immutable: z.boolean(),
    addresses: z.object({ evm: z.string(), solana: z.string() }),
    socials: z.record(z.string(), z.string()),
  })
  .meta({ id: 'TokenMeta' });

const usd = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `USD. ${description}` });
const volume = usd('Gross, up to the newest indexed block of the chain. Null: not known yet.');
const units = z.number().nullable();

/** A token in a list: numbers for people to look at; exact ones come with its own reads. */
export const TokenRecord = z
  .looseObject({
    id: Uuid,
    name: z.string(),
    symbol: z.string(),
    slug: z.string(),
    logo: text,
    banner_url: text,
    video_url: text,
    website_url: text,
    twitter_url: text,
    github_url: text,
    metadata: z.object({ links: z.record(z.string(), z.string()) }).meta({
      description: 'Links by name, as the creator gave them; empty for a token not created through this service.',
    }),
    description: text,
    platform_id: PlatformId.nullable(),
    created_at: IsoTime,
    holders_count: z.int().nullable(),
    trx: z.int().nullable().meta({ description: 'Number of trades.' }),
    market_cap: usd('Price times the whole supply.'),
    price: usd('Of one token, after the last trade.'),
    volume_1m: volume,
    volume_5m: volume,
    volume_1h: volume,
    volume_24h: volume,
    price_change_24h: usd('Price now less the price 24 hours ago, or at creation when that was later.'),
    price_change_24h_percent: z.number().nullable(),
    launchpad_supply: units.meta({ description: 'Tokens that the curve sold.' }),
    launchpad_tokens_left: units.meta({ description: 'Tokens that the curve still sells.' }),
    launchpad_progress_pct: units.meta({ description: '0 to 100.' }),
    token_addresses: z.array(TokenAddress),
    stage: LaunchStage.nullable(),
    token_uri: text,
    hashtags: z.array(z.string()),
    indexer_metadata: TokenMeta.nullable().meta({ description: 'Null for a token not created through this service.' }),
  })
  .meta({ id: 'TokenV2', description: 'Also carries the platform id under the name of this deployment.' });
