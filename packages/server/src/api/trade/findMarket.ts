import { MintageError } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { type Draft, findDraft } from '../tokens/draft.ts';
import type { Trading } from './trading.ts';

/**
 * The indexed state of a token; or, for a token that this service prepared and that is not indexed yet, its draft,
 * found by id only.
 *
 * @throws TOKEN_NOT_FOUND when there is neither on this chain.
 */
export const findMarket = async (
  context: Trading,
  served: ChainContext,
  tokenRef: string,
): Promise<{ market: Market; draft: null } | { market: null; draft: Draft }> => {
  try {
    return { market: await context.markets.require(served, tokenRef), draft: null };
  } catch (error) {
    if (!(error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND')) throw error;
    const draft = await findDraft(context.db, tokenRef, context.now());
    if (draft === null || draft.eid !== served.chain.eid) throw error;
    return { market: null, draft };
  }
};
