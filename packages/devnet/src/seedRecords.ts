import { type Media, type MetadataFields, type ServiceDatabase, storeMetadata } from '@mintage/api';
import { claimSlug } from '@mintage/indexer/db';
import { platformIdOf, poolTypeById, tokenIdOf } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { DevChain } from './chains.ts';
import { pictureOf } from './picture.ts';
import { seedAddress, seedTokensOn } from './seed.ts';
import type { SeedToken } from './seedTokens.ts';

/** What the service stores when somebody creates such a token through it. */
export const metadataOf = (token: SeedToken): MetadataFields => ({
  name: token.name,
  symbol: token.symbol,
  description: token.description,
  image: pictureOf(token),
  links: { website: `https://example.com/${token.symbol.toLowerCase()}` },
  tags: token.tags,
});

/**
 * Gives the service its side of the seeded tokens: pictures, descriptions, slugs. Does nothing for those it knows, so a
 * database that was deleted gets them again.
 */
export const recordSeeds = async (chain: DevChain, db: Kysely<ServiceDatabase>, media: Media): Promise<void> => {
  for (const token of seedTokensOn(chain)) {
    const address = await seedAddress(chain, token);
    const tokenId = tokenIdOf(platformIdOf(address, chain.chain.eid));
    const known = await db.selectFrom('token_draft').select('token_id').where('token_id', '=', tokenId).execute();
    if (known.length > 0) continue;
    const { tokenUri, ...stored } = await storeMetadata(media, metadataOf(token));
    await db
      .insertInto('token_draft')
      .values({
        token_id: tokenId,
        chain_id: chain.chain.chainId,
        address,
        user_id: null,
        creator: chain.accounts[token.creator].address.toLowerCase(),
        pool_type: poolTypeById(token.poolType)?.slug ?? '',
        name: token.name,
        symbol: token.symbol,
        slug: await claimSlug(db.withTables(), tokenId, token.name),
        description: token.description,
        token_uri: tokenUri,
        ...stored,
        links: JSON.stringify(metadataOf(token).links),
        tags: [...token.tags],
        destination_chains: [],
      })
      .execute();
  }
};
