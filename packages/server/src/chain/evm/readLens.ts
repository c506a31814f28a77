import {
  type Address,
  curveOf,
  type EvmDeployment,
  families,
  lensAbi,
  type PoolState,
  poolTypeById,
  requireHex,
  tierFeeV3,
} from '@mintage/protocol';
import {
  type DecodeFunctionResultReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  zeroAddress,
} from 'viem';
import type { At } from '../agreement.ts';
import type { ChainReading, NamedToken } from '../chainClient.ts';
import { type BlockRef, type Market, usdOf } from '../market.ts';
import type { Node, Rpc } from '../rpc.ts';
import { call, getBlock } from './calls.ts';

/**
 * State of the token and of the trader at the newest block that two providers have and agree on: one call of the Lens,
 * and the block's hash.
 *
 * @param facts - Name, symbol and id, which the Lens does not return.
 * @param aloneWillDo - Accept a single provider's answer when no other answers; never for what is signed here.
 * @throws ChainDownError when no provider answers, or no two say the same.
 */
export const readLens = async (
  rpc: Pick<Rpc, 'agreedAtHead'>,
  deployment: EvmDeployment,
  facts: NamedToken,
  trader: Address,
  aloneWillDo: boolean,
): Promise<ChainReading> => {
  const args = [requireHex(facts.address), requireHex(trader)] as const;
  const data = encodeFunctionData({ abi: lensAbi, functionName: 'quoteState', args });
  const lens = { to: deployment.lens, data };
  const { answer, isAlone } = await rpc.agreedAtHead((node, at) => askLens(node, lens, at), { aloneWillDo });
  const { result, hash } = answer;
  const [number, time, view, wallet] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result });
  const block = { number: Number(number), time: Number(time), hash };
  return {
    block,
    isAlone,
    premise: { blockNumber: answer.block, ...lens, answerHash: keccak256(result) },
    market: view.state.creator === zeroAddress ? null : marketOf(view, block, facts, deployment),
    trader: {
      referrer: wallet.referrer === zeroAddress ? null : lower(wallet.referrer),
      usdBalance: wallet.usdBalance,
      usdAllowance: wallet.usdAllowance,
      tokenBalance: wallet.tokenBalance,
    },
  };
};

/** The answer of one provider. If a new block arrives between the two queries, the hash is requested by number. */
const askLens = async (node: Node, lens: { to: Hex; data: Hex }, at: At) => {
  const [result, shown] = await Promise.all([node.request(call(lens, at)), node.request(getBlock(at))]);
  const [number] = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result });
  const block = Number(number);
  if (shown?.number === block) return { block, result, hash: shown.hash };
  const later = await node.request(getBlock(block));
  return { block, result, hash: later?.hash ?? null };
};

/** Whoever has the Lens is an EVM. */
const { tokenDecimals } = families.evm;

type TokenView = DecodeFunctionResultReturnType<typeof lensAbi, 'quoteState'>[2];

const marketOf = (
  { state, ...view }: TokenView,
  block: BlockRef,
  facts: NamedToken,
  deployment: EvmDeployment,
): Market => {
  const poolType = poolTypeById(state.poolType);
  if (poolType === undefined) throw new Error(`the chain holds the unknown pool type ${state.poolType}`);
  const stored = { tokensLeft: state.tokensLeft, reserveUsd: state.usd };
  return {
    source: 'chain',
    token: { ...facts, creator: lower(state.creator), poolType, createdAt: state.created },
    poolType,
    block,
    usd: usdOf(deployment),
    tokenDecimals,
    venue: deployment.venue,
    curve: state.graduated ? null : curveOf(poolType, { token: tokenDecimals, usd: deployment.usdDecimals }, stored),
    pool: state.graduated ? poolOf(view, deployment) : null,
    floorUsd: state.floorUsd,
    treasuryShareUsd: state.treasuryShare,
  };
};

const poolOf = (
  { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor, ticks }: Omit<TokenView, 'state'>,
  { exchange }: EvmDeployment,
): PoolState => {
  const pool = { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor };
  if (exchange === null) return pool;
  const below = ticks.filter((one) => one.tick <= tick).length;
  const isCut = { below: below >= shownTicks, above: ticks.length - below >= shownTicks };
  const from = isCut.below ? (ticks.at(0)?.tick ?? null) : null;
  const to = isCut.above ? (ticks.at(-1)?.tick ?? null) : null;
  return { ...pool, tierFee: tierFeeV3, ticks, knownTicks: { from, to } };
};

/** The Lens shows so many ticks on either side of the price: where it shows as many there may be more. */
const shownTicks = 256;

const lower = (address: Hex): Hex => address.toLowerCase() as Hex;
