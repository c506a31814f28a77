import { curveOf, poolTypeById } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import type { ListedToken } from '../tokens/tokenRef.ts';

/** State of a token's curve after its last trade, base units. Null for an unknown pool type. */
export const curveNow = (token: ListedToken, served: ChainContext) => {
  const poolType = poolTypeById(token.pool_type);
  if (poolType === undefined) return null;
  const start = curveOf(poolType, decimalsOf(served));
  const soldTokens = start.virtualTokens - token.virtual_tokens;
  const graduated = token.graduated_at !== null;
  return {
    poolType,
    soldTokens,
    tokensLeft: start.tokensLeft - soldTokens,
    /** The raised dollars moved into the pool at graduation. */
    reserveUsd: graduated ? 0n : token.virtual_usd - start.virtualUsd,
  };
};
