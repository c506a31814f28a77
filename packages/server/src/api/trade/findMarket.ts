import { MintageError } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Market } from '../../chain/market.ts';
import { type Draft, findDraft } from '../tokens/draft.ts';
import { arrivingToken } from '../tokens/tokenRef.ts';
import type { Trading } from './trading.ts';

/**
 * The indexed state of a token; or, for a token that this service prepared and that is not indexed yet, its draft,
 * found by id only. By another reference such a token is waited for.
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
    if (!isUnknown(error)) throw error;
    const draft = await findDraft(context.db, tokenRef, context.now());
    if (draft === null) return { market: await arrivedMarket(context, served, tokenRef, error), draft: null };
    if (draft.eid !== served.chain.eid) throw error;
    return { market: null, draft };
  }
};

/**
 * The indexed state of a token, which is waited for where this service prepared it.
 *
 * @throws what `Markets.require` throws.
 */
export const requireMarket = async (context: Trading, served: ChainContext, tokenRef: string): Promise<Market> => {
  try {
    return await context.markets.require(served, tokenRef);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return arrivedMarket(context, served, tokenRef, error);
  }
};

const isUnknown = (error: unknown): error is MintageError =>
  error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND';

/** @param unknown - Thrown when the token does not come. */
const arrivedMarket = async (
  context: Trading,
  served: ChainContext,
  tokenRef: string,
  unknown: MintageError,
): Promise<Market> => {
  if ((await arrivingToken(context, tokenRef)) === null) throw unknown;
  await context.markets.follow();
  return context.markets.require(served, tokenRef);
};
