import type { TokenCard } from '@mintage/protocol/operations';
import { platformIdKeys } from '@mintage/protocol/operations';
import { shownPlatformId } from '../tokens/identity.ts';
import type { Reading } from '../tokens/reading.ts';
import { oneOf } from './oneOf.ts';

/** Tokens as posts and hubs show them, by id; those that no served chain has now are left out. */
export const tokenCards = async (
  { db, config }: Pick<Reading, 'db' | 'config'>,
  tokenIds: readonly string[],
): Promise<Map<string, TokenCard>> => {
  if (tokenIds.length === 0) return new Map();
  const tokens = await db
    .selectFrom('token')
    .innerJoin('token_slug', 'token_slug.token_id', 'token.token_id')
    .leftJoin('token_draft', 'token_draft.token_id', 'token.token_id')
    .select(['token.token_id as id', 'token.name', 'token.symbol', 'token_slug.slug', 'token_draft.logo'])
    .select(['token.platform_id', 'token.graduated_at'])
    .where(oneOf('token.token_id', [...new Set(tokenIds)]))
    .execute();
  return new Map(
    tokens.map(({ platform_id, graduated_at, ...face }) => [
      face.id,
      { ...face, ...platformIdKeys(config.platformName, shownPlatformId(config, { platform_id, graduated_at })) },
    ]),
  );
};
