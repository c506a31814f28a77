import { z } from 'zod';
import { PlatformId } from './platformId.ts';
import { ChainSlug, familyAddresses, IsoTime, Uuid } from './scalars.ts';

export const LaunchStage = z
  .enum(['new', 'graduating', 'graduated'], { error: 'must be new, graduating or graduated' })
  .meta({ id: 'LaunchStage', description: 'graduating: at least 75 % of the curve is sold.' });

/** One chain of a token: where it was created, or where it is meant to go. */
export const TokenAddress = z
  .object({
    id: Uuid,
    token_id: Uuid,
    chain: ChainSlug,
    platform_name: z.string().meta({ description: 'Name of this service.' }),
    address: z.string().meta({ description: "'' where the token is not deployed yet and its address is not known." }),
    address_display: z.string().nullable().meta({ description: 'Always null: `address` is shown as it is.' }),
    address_type: z.enum(['evm', 'sol']).meta({ description: 'Family of the address.' }),
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
    updated_at: IsoTime.meta({ description: 'When this was last changed.' }),
    created_at: IsoTime.meta({ description: 'When it was created.' }),
    decimals: z.int().meta({ description: 'Of the token on that chain.' }),
    eid: z.int().nullable().meta({ description: 'LayerZero’s id of the chain.' }),
    dex_name: z.string().nullable().meta({ description: 'Exchange of the pool; null before graduation.' }),
    dex_address: z
      .string()
      .nullable()
      .meta({ description: 'The Uniswap v4 pool id, or the address of a pool on a v3 exchange.' }),
  })
  .meta({ id: 'TokenAddress' });

const text = z.string().nullable();
const unasked = text.meta({ description: 'Always null: whoever creates a token is not asked for it.' });

/** What the token's metadata says; loose for the deployment's own name of the id. */
const TokenMeta = z
  .looseObject({
    token_uri: z.string().meta({ description: 'Where the metadata is, ipfs://….' }),
    resolved_metadata_url: text.meta({ description: 'Where the metadata was read.' }),
    image_url: text.meta({ description: 'Address of the picture, as the metadata says it.' }),
    image_storage_path: text.meta({ description: 'Always null: the picture is at image_storage_url.' }),
    image_storage_url: text.meta({ description: 'Address of the picture, as this service keeps it.' }),
    banner_url: text.meta({ description: 'Address of the wide picture.' }),
    name: text.meta({ description: 'Name of the token.' }),
    symbol: text.meta({ description: 'Ticker of the token.' }),
    description: text.meta({ description: 'As the creator gave it.' }),
    created_on: text.meta({ description: 'Address of the app that it was created with.' }),
    platform_id: PlatformId.nullable(),
    token: text.meta({ description: 'Contract address.' }),
    website: text.meta({ description: 'As the creator gave it.' }),
    twitter_url: text.meta({ description: 'As the creator gave it.' }),
    discord_url: text.meta({ description: 'As the creator gave it.' }),
    telegram_url: text.meta({ description: 'As the creator gave it.' }),
    farcaster_url: unasked,
    github_url: unasked,
    hashtags: z.array(z.string()).meta({ description: 'Tags, as the creator gave them.' }),
    fetched_at: IsoTime.meta({ description: 'When the metadata was read.' }),
    immutable: z.boolean().meta({ description: 'Always true: nobody can change the metadata.' }),
    addresses: z.object(familyAddresses).meta({ description: 'Contract address of the token, by family of chains.' }),
    socials: z.record(z.string(), z.string()).meta({ description: 'All links that the creator gave, by their name.' }),
  })
  .meta({ id: 'TokenMeta' });

const usd = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `USD. ${description}` });
const volume = usd('Gross, up to the newest indexed block of the chain. Null: not known yet.');
const units = z.number().nullable();

export const Unlisted = z.strictObject({ reason: z.string().meta({ description: 'What the operator said.' }) }).meta({
  id: 'Unlisted',
  description:
    'An operator took the token out of lists: only its id, address and holders lead to it. Absent: nobody did.',
});

/** A token in a list: numbers for people to look at; exact ones come with its own reads. */
export const TokenRecord = z
  .looseObject({
    id: Uuid,
    name: z.string().meta({ description: 'Name of the token.' }),
    symbol: z.string().meta({ description: 'Ticker of the token.' }),
    slug: z.string().meta({ description: 'Name of the token in addresses of pages.' }),
    logo: text.meta({ description: 'Address of the picture.' }),
    banner_url: text.meta({ description: 'Address of the wide picture.' }),
    video_url: text.meta({ description: 'Address of the video.' }),
    website_url: text.meta({ description: 'As the creator gave it.' }),
    twitter_url: text.meta({ description: 'As the creator gave it.' }),
    github_url: unasked,
    metadata: z.object({ links: z.record(z.string(), z.string()) }).meta({
      description: 'Links by name, as the creator gave them; empty for a token not created through this service.',
    }),
    description: text.meta({ description: 'As the creator gave it.' }),
    platform_id: PlatformId.nullable(),
    created_at: IsoTime.meta({ description: 'When it was created.' }),
    holders_count: z.int().nullable().meta({ description: 'Wallets that hold some, on all chains.' }),
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
    launchpad_raised_usd: usd('What the curve raised; of a graduated token all of it.'),
    launchpad_target_usd: usd('What the curve raises until the token graduates.'),
    graduated_at: IsoTime.nullable().meta({ description: 'When it graduated; null: not yet.' }),
    token_addresses: z.array(TokenAddress).meta({ description: 'The token on each of its chains.' }),
    stage: LaunchStage.nullable().meta({ description: 'new, graduating or graduated; null: unknown.' }),
    token_uri: text.meta({ description: 'Where the metadata is, ipfs://….' }),
    hashtags: z.array(z.string()).meta({ description: 'Tags, as the creator gave them.' }),
    indexer_metadata: TokenMeta.nullable().meta({ description: 'Null for a token not created through this service.' }),
    unlisted: Unlisted.optional(),
  })
  .meta({ id: 'TokenV2', description: 'Also carries the platform id under the name of this deployment.' });
