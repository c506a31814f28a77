import { formatPriceUsd } from '@mintage/protocol';
import type { ChainContext, Context } from '../context.ts';
import { platformIdKeys } from './identity.ts';
import { poolPrice } from './price.ts';
import type { KnownToken } from './tokenRef.ts';

/** Every swap of the pool pays this; the part that the hook or the Launchpad takes, in basis points. */
const poolFeeBps = '100';

/** The one pool of a graduated token; none before. */
export const dexPools = ({ config }: Context, token: KnownToken, { chain, deployment }: ChainContext) => {
  const { graduation, pool_id: poolId, graduated_at: graduatedAt } = token;
  if (graduation === null || poolId === null || graduatedAt === null) return [];
  const tokenIsFirst = BigInt(token.address) < BigInt(deployment.usd);
  const [first, second] = tokenIsFirst ? [token.address, deployment.usd] : [deployment.usd, token.address];
  const initialPrice = poolPrice(BigInt(graduation.sqrtPriceX96), tokenIsFirst);
  const keys = (prefix: string, platformId: string | null) => platformIdKeys(config.platformName, prefix, platformId);
  return [
    {
      chain: chain.slug,
      dex: 'uniswap_v4',
      contract_address: deployment.poolManager ?? '',
      pool_address: poolId,
      token_address: token.address,
      token_a_address: first,
      token_b_address: second,
      platform_id: token.platform_id,
      token_a_platform_id: tokenIsFirst ? token.platform_id : null,
      token_b_platform_id: tokenIsFirst ? null : token.platform_id,
      ...keys('', token.platform_id),
      ...keys('token_a_', tokenIsFirst ? token.platform_id : null),
      ...keys('token_b_', tokenIsFirst ? null : token.platform_id),
      fee: poolFeeBps,
      initial_price: formatPriceUsd(initialPrice, deployment.usdDecimals),
      tx_hash: graduation.txHash,
      evt_block_number: graduation.blockNumber,
      evt_index: graduation.logIndex,
      evt_block_time: graduatedAt.toISOString(),
    },
  ];
};
