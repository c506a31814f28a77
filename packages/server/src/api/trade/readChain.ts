import { curveOf, type Deployment, lensAbi, poolTypeById } from '@mintage/protocol';
import {
  type DecodeFunctionResultReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  keccak256,
  zeroAddress,
} from 'viem';
import type { At } from '../../chain/agreement.ts';
import { call, getBlock } from '../../chain/evm/calls.ts';
import type { Node } from '../../chain/rpc.ts';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import type { Premise } from '../../db/signerTables.ts';
import type { BlockRef, Market, TokenFacts } from './market.ts';
import { usdOf } from './markets.ts';

/** The trader's state on the Launchpad and the tokens, base units. */
export interface TraderState {
  /** Protocol referrer; null for none. */
  referrer: Address | null;
  usdBalance: bigint;
  /** Dollar allowance of the Launchpad. */
  usdAllowance: bigint;
  tokenBalance: bigint;
}

export interface ChainReading {
  block: BlockRef;
  /** Null when the chain does not have the token. */
  market: Market | null;
  trader: TraderState;
  /** Only one provider answered, so nothing is signed on the strength of it. */
  isAlone: boolean;
  /** The read that the signer repeats before it signs. */
  premise: Premise;
}

/**
 * State of the token and of the trader at the newest block that two providers have and agree on: one call of the Lens,
 * and the block's hash.
 *
 * @param facts - Name, symbol and id, which the Lens does not return.
 * @param aloneWillDo - Accept a single provider's answer when no other answers; never for what is signed here.
 * @throws NETWORK_ERROR when no provider answers, no two say the same, or the chain stands still.
 */
export const readChain = async (
  { deployment, rpc, headPulse }: ChainContext,
  facts: Pick<TokenFacts, 'tokenId' | 'address' | 'name' | 'symbol'>,
  trader: Address,
  aloneWillDo: boolean,
): Promise<ChainReading> => {
  const data = encodeFunctionData({ abi: lensAbi, functionName: 'quoteState', args: [facts.address, trader] });
  const lens = { to: deployment.lens, data };
  const { answer, isAlone } = await rpc.agreedAtHead((node, at) => askLens(node, lens, at), { aloneWillDo });
  const { result, hash } = answer;
  const [number, time, view, wallet] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result });
  const block = { number: Number(number), time: Number(time), hash };
  headPulse.saw(block.number, block.time * 1000);
  headPulse.requireMotion();
  return {
    block,
    isAlone,
    premise: { blockNumber: answer.block, ...lens, answerHash: keccak256(result) },
    market: view.state.creator === zeroAddress ? null : marketOf(view, block, facts, deployment),
    trader: {
      referrer: wallet.referrer === zeroAddress ? null : (wallet.referrer.toLowerCase() as Address),
      usdBalance: wallet.usdBalance,
      usdAllowance: wallet.usdAllowance,
      tokenBalance: wallet.tokenBalance,
    },
  };
};

/** The answer of one provider. If a new block arrives between the two queries, the hash is requested by number. */
const askLens = async (node: Node, lens: { to: Address; data: `0x${string}` }, at: At) => {
  const [result, shown] = await Promise.all([node.request(call(lens, at)), node.request(getBlock(at))]);
  const [number] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result });
  const block = Number(number);
  if (shown?.number === block) return { block, result, hash: shown.hash };
  const later = await node.request(getBlock(block));
  return { block, result, hash: later?.hash ?? null };
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
