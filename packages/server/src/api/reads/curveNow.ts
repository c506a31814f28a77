import { curveOf, poolTypeById } from '@mintage/protocol';
import type { ChainContext } from '../../chain/servedChain.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';

/** Where a token's curve stands after the last trade on it; base units. Null for a pool type that nobody knows. */
export const curveNow = (token: KnownToken, { deployment }: ChainContext) => {
  const poolType = poolTypeById(token.pool_type);
  if (poolType === undefined) return null;
  const start = curveOf(poolType, deployment.usdDecimals);
  const soldTokens = start.virtualTokens - token.virtual_tokens;
  const graduated = token.graduated_at !== null;
  return {
    poolType,
    soldTokens,
    tokensLeft: start.tokensLeft - soldTokens,
    /** What it raised went into the pool at graduation. */
    reserveUsd: graduated ? 0n : token.virtual_usd - start.virtualUsd,
  };
};
