import { curveOf, type Deployment, lensAbi, poolTypeById } from '@mintage/protocol';
import { type DecodeFunctionResultReturnType, decodeFunctionResult, encodeFunctionData, zeroAddress } from 'viem';
import type { Address, ChainContext } from '../context.ts';
import type { BlockRef, Market, TokenFacts } from './market.ts';
import { usdOf } from './markets.ts';

/** What the Launchpad and the tokens say about the trader. Base units. */
export interface TraderState {
  /** Protocol referrer; null for none. */
  referrer: Address | null;
  usdBalance: bigint;
  /** What the Launchpad may pull. */
  usdAllowance: bigint;
  tokenBalance: bigint;
}

export interface ChainReading {
  block: BlockRef;
  /** Null when the chain does not have the token. */
  market: Market | null;
  trader: TraderState;
}

/**
 * The token's state at the chain's latest block, with the trader's: one call of the Lens, and the block's hash.
 *
 * @param facts - Name, symbol and id, which the chain's state does not hold.
 * @throws NETWORK_ERROR when no provider answers.
 */
export const readChain = async (
  { deployment, rpc }: ChainContext,
  facts: Pick<TokenFacts, 'tokenId' | 'address' | 'name' | 'symbol'>,
  trader: Address,
): Promise<ChainReading> => {
  const data = encodeFunctionData({ abi: lensAbi, functionName: 'quoteState', args: [facts.address, trader] });
  const [result, latest] = await Promise.all([
    rpc.request<`0x${string}`>('eth_call', [{ to: deployment.lens, data }, 'latest']),
    rpc.request<RpcBlock>('eth_getBlockByNumber', ['latest', false]),
  ]);
  const [number, time, view, wallet] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result });
  const block = { number: Number(number), time: Number(time), hash: await hashOf(rpc, Number(number), latest) };
  return {
    block,
    market: view.state.creator === zeroAddress ? null : marketOf(view, block, facts, deployment),
    trader: {
      referrer: wallet.referrer === zeroAddress ? null : (wallet.referrer.toLowerCase() as Address),
      usdBalance: wallet.usdBalance,
      usdAllowance: wallet.usdAllowance,
      tokenBalance: wallet.tokenBalance,
    },
  };
};

type TokenView = DecodeFunctionResultReturnType<typeof lensAbi, 'quoteState'>[2];

const marketOf = (
  { state, sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor }: TokenView,
  block: BlockRef,
  facts: Pick<TokenFacts, 'tokenId' | 'address' | 'name' | 'symbol'>,
  deployment: Deployment,
): Market => {
  const poolType = poolTypeById(state.poolType);
  if (poolType === undefined) throw new Error(`the chain holds the unknown pool type ${state.poolType}`);
  const stored = { tokensLeft: state.tokensLeft, reserveUsd: state.usd };
  return {
    source: 'chain',
    token: { ...facts, creator: state.creator.toLowerCase() as Address, poolType, createdAt: state.created },
    poolType,
    block,
    usd: usdOf(deployment),
    curve: state.graduated ? null : curveOf(poolType, deployment.usdDecimals, stored),
    pool: state.graduated ? { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor } : null,
    floorUsd: state.floorUsd,
  };
};

interface RpcBlock {
  number: `0x${string}`;
  hash: `0x${string}`;
  timestamp: `0x${string}`;
}

/** A block may have come between the two answers; then the hash is asked for by number. */
const hashOf = async (rpc: ChainContext['rpc'], number: number, latest: RpcBlock): Promise<BlockRef['hash']> => {
  if (Number(latest.number) === number) return latest.hash;
  const block = await rpc.request<RpcBlock | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
  return block?.hash ?? null;
};
