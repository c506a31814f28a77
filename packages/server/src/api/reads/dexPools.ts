import { exchangePoolPrice, formatPriceUsd, usdIs0 } from '@mintage/protocol';
import { platformIdKeys } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { isUniswap } from '../../db/venueOf.ts';
import type { Reading } from '../tokens/reading.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { venueWord } from '../wire/venueWord.ts';

/** Fee of every swap in the pool, basis points: taken by the hook, the Launchpad, or the pool's own tier. */
const poolFeeBps = '100';

/** The one pool of a graduated token; none before. */
export const dexPools = ({ config }: Reading, token: KnownToken, served: ChainContext) => {
  const { chain, deployment } = served;
  const { graduation, pool_id: poolId, graduated_at: graduatedAt } = token;
  if (graduation === null || poolId === null || graduatedAt === null) return [];
  const usdIsFirst = usdIs0(token.address, deployment.usd);
  const [first, second] = usdIsFirst ? [deployment.usd, token.address] : [token.address, deployment.usd];
  const initialPrice = isUniswap(graduation)
    ? exchangePoolPrice({ sqrtPriceX96: BigInt(graduation.sqrtPriceX96), usdIs0: usdIsFirst })
    : { usd: BigInt(graduation.usdLocked), tokens: BigInt(graduation.tokensLocked) };
  const { platformName } = config;
  return [
    {
      chain: chain.slug,
      dex: venueWord('pool', deployment),
      contract_address: deployment.poolManager ?? deployment.exchange?.factory ?? deployment.launchpad,
      pool_address: poolId,
      token_address: token.address,
      token_a_address: first,
      token_b_address: second,
      // The token has graduated, so its platform id is always shown.
      ...platformIdKeys(platformName, token.platform_id),
      ...platformIdKeys(platformName, usdIsFirst ? null : token.platform_id, 'token_a_'),
      ...platformIdKeys(platformName, usdIsFirst ? token.platform_id : null, 'token_b_'),
      fee: poolFeeBps,
      initial_price: formatPriceUsd(initialPrice, decimalsOf(served)),
      tx_hash: graduation.txHash,
      evt_block_number: graduation.blockNumber,
      evt_index: graduation.logIndex,
      evt_block_time: graduatedAt.toISOString(),
    },
  ];
};
