import { decodeRevert, MintageError } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { RpcError } from '../chains/rpc.ts';
import type { Address, ChainContext, Context } from '../context.ts';
import { gasLimitOf } from '../trade/gas.ts';
import { type PreparedCall, requireSuccess, simulate } from '../trade/simulate.ts';
import { openCalls } from './openCalls.ts';

/**
 * Tries a call of the embedded wallet after what the wallet has under way.
 *
 * @returns The gas limit that it needs, a fifth included.
 * @throws MintageError the decoded reason when it fails, INSUFFICIENT_BALANCE, NETWORK_ERROR.
 */
export const tryCall = async (
  context: Context,
  served: ChainContext,
  wallet: Address,
  call: PreparedCall,
): Promise<bigint> => {
  const blockNumber = Number(await served.rpc.request('eth_blockNumber', []));
  const before = await openCalls(context, served, wallet, blockNumber);
  if (before.length === 0) return gasLimitOf(await estimate(served, wallet, call, blockNumber));
  const outcome = await simulate(served, wallet, [call], blockNumber, undefined, before);
  requireSuccess(outcome);
  // What a simulation says is after refunds, which are at most a fifth of what is used on the way.
  return gasLimitOf(((outcome as { gasUsed: bigint }).gasUsed * 5n + 3n) / 4n);
};

const estimate = async (
  { rpc, chain }: ChainContext,
  from: Address,
  { to, data, value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<bigint> => {
  try {
    const call = { from, to, data, value: numberToHex(value) };
    return BigInt(await rpc.request<string>('eth_estimateGas', [call, numberToHex(blockNumber)]));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (isShortOfCoin(error)) {
      throw new MintageError('INSUFFICIENT_BALANCE', `The wallet ${from} has too little ${chain.nativeSymbol}`, {
        cause: error,
      });
    }
    throw decodeRevert(typeof error.data === 'string' ? (error.data as `0x${string}`) : '0x');
  }
};

/** Nodes say it in words only. */
const isShortOfCoin = ({ message }: RpcError): boolean => /insufficient (funds|balance)|out ?of ?funds/i.test(message);
