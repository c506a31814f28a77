import { decodeRevert, formatUnits, MintageError } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { areNear } from '../../chain/agreement.ts';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Context } from '../handlers/context.ts';
import { gasLimitOf } from '../trade/gas.ts';
import { type PreparedCall, requireSuccess, simulate } from '../trade/simulate.ts';
import { openCalls } from './openCalls.ts';

/**
 * Tries a call of the embedded wallet after what the wallet has under way.
 *
 * @returns The gas limit that it needs, a fifth included, and the newest block, in which it was tried.
 * @throws MintageError the decoded reason when it fails, INSUFFICIENT_BALANCE, NETWORK_ERROR.
 */
export const tryCall = async (
  context: Context,
  served: ChainContext,
  wallet: Address,
  call: PreparedCall,
): Promise<{ gasLimit: bigint; blockNumber: number }> => {
  const { blockNumber } = await newestBlock(served);
  const before = await openCalls(context, served, wallet, blockNumber);
  await requireCoin(served, wallet, call, blockNumber);
  if (before.length === 0)
    return { gasLimit: gasLimitOf(await estimate(served, wallet, call, blockNumber)), blockNumber };
  const outcome = await simulate(served, wallet, [call], blockNumber, undefined, before);
  requireSuccess(outcome);
  // What a simulation says is after refunds, which are at most a fifth of what is used on the way.
  return { gasLimit: gasLimitOf(((outcome as { gasUsed: bigint }).gasUsed * 5n + 3n) / 4n), blockNumber };
};

/** The newest that two providers have. */
const newestBlock = async ({ rpc }: ChainContext): Promise<{ blockNumber: number }> => {
  const { answer } = await rpc.agreedAtHead(async (request, at) => ({
    block: at === 'latest' ? Number(await request('eth_blockNumber', [])) : Number(at),
  }));
  return { blockNumber: answer.block };
};

const estimate = async (
  { rpc }: ChainContext,
  from: Address,
  { to, data, value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<bigint> => {
  try {
    const call = { from, to, data, value: numberToHex(value) };
    const { answers } = await rpc.agreed(
      async (request) => BigInt(await request<string>('eth_estimateGas', [call, numberToHex(blockNumber)])),
      { same: areNear },
    );
    return answers.reduce((most, one) => (one > most ? one : most));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw decodeRevert(typeof error.data === 'string' ? (error.data as `0x${string}`) : '0x');
  }
};

/** Asked for by itself: nodes tell it in words only, each in its own, or not at all. The gas is the signer's to count. */
const requireCoin = async (
  { rpc, chain }: ChainContext,
  wallet: Address,
  { value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<void> => {
  if (value === 0n) return;
  const { answer } = await rpc.agreed((request) =>
    request<string>('eth_getBalance', [wallet, numberToHex(blockNumber)]),
  );
  const balance = BigInt(answer);
  if (balance >= value) return;
  const [has, needs] = [balance, value].map((wei) => `${formatUnits(wei, nativeDecimals)} ${chain.nativeSymbol}`);
  throw new MintageError('INSUFFICIENT_BALANCE', `The wallet ${wallet} has ${has} and would send ${needs}`);
};

const nativeDecimals = 18;
