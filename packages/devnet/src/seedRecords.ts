import { platformIdOf, poolTypeById, tokenIdOf } from '@mintage/protocol';
import { type Media, type Metadata, type ServiceDatabase, storeMetadata } from '@mintage/server/api';
import { claimSlug } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import { pictureOf } from './picture.ts';
import { type SeedPlace, type SeedToken, seedTokensOn } from './seedTokens.ts';

/** Stores a seeded token's picture and description, as the service does when somebody creates such a token through it. */
export type SeedMetadata = (token: SeedToken) => Promise<Metadata>;

/** Each token's metadata is made once, for the chain and for the records. */
export const createSeedMetadata = (media: () => Promise<Media>): SeedMetadata => {
  const stored = new Map<string, Promise<Metadata>>();
  const store = async (token: SeedToken): Promise<Metadata> => {
    const { name, symbol, description, tags } = token;
    return storeMetadata(await media(), {
      name,
      symbol,
      description,
      tags,
      image: pictureOf(token),
      links: linksOf(token),
    });
  };
  return (token) => {
    const known = stored.get(token.name) ?? store(token);
    stored.set(token.name, known);
    return known;
  };
};

const linksOf = ({ symbol }: SeedToken) => ({ website: `https://example.com/${symbol.toLowerCase()}` });

/**
 * Stores the service's own data of the seeded tokens: pictures, descriptions, slugs. Known tokens are skipped, so a new
 * database gets all of it again.
 */
export const recordSeeds = async (
  { chain, placeOf }: SeedPlace,
  db: Kysely<ServiceDatabase>,
  metadata: SeedMetadata,
): Promise<void> => {
  for (const token of seedTokensOn({ chain })) {
    const { address, creator } = await placeOf(token);
    const tokenId = tokenIdOf(platformIdOf(address, chain.eid));
    const known = await db.selectFrom('token_draft').select('token_id').where('token_id', '=', tokenId).execute();
    if (known.length > 0) continue;
    const { tokenUri, ...stored } = await metadata(token);
    await db
      .insertInto('token_draft')
      .values({
        token_id: tokenId,
        eid: chain.eid,
        address,
        user_id: null,
        creator,
        pool_type: poolTypeById(token.poolType)?.slug ?? '',
        name: token.name,
        symbol: token.symbol,
        slug: await claimSlug(db.withTables(), tokenId, token.name),
        description: token.description,
        token_uri: tokenUri,
        ...stored,
        links: JSON.stringify(linksOf(token)),
        tags: [...token.tags],
        destination_chains: [],
      })
      .execute();
  }
};
