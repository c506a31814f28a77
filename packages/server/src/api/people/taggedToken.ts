import { invalid } from '@mintage/protocol';
import type { Reading } from '../tokens/reading.ts';
import { type KnownToken, requireToken } from '../tokens/tokenRef.ts';

interface Tagging {
  taggedCoinId?: string | undefined;
  tagged_coin_id?: string | undefined;
}

/**
 * The token that is named by either key; null: none is.
 *
 * @throws INVALID_PARAMETERS when both are given; TOKEN_NOT_FOUND
 */
export const taggedToken = async (
  context: Pick<Reading, 'db' | 'chainNews'>,
  { taggedCoinId, tagged_coin_id }: Tagging,
): Promise<KnownToken | null> => {
  if (taggedCoinId !== undefined && tagged_coin_id !== undefined)
    throw invalid('tagged_coin_id', 'must not stand beside taggedCoinId, which means the same');
  const named = taggedCoinId ?? tagged_coin_id;
  return named === undefined ? null : requireToken(context, named);
};
