import { decodeRevert } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { isRevert, RpcError, revertDataOf } from '../chain/rpc.ts';
import type { Hex, Lane } from '../context.ts';
import type { Reason } from './intents.ts';

interface Call {
  to: Hex;
  value: bigint;
  data: Hex;
  gasLimit: number;
}

/** Calls again at the end of a block to learn why a transaction in it reverted. */
export const whyReverted = async (lane: Lane, call: Call, blockNumber: number): Promise<Reason> =>
  (await revertOf(lane, call, numberToHex(blockNumber))) ?? {
    code: 'TRANSACTION_FAILED',
    message: 'The transaction reverted; at the end of its block the same call would not.',
  };

/** Why the call would revert in the state of this block; undefined when it would not, or no provider can tell. */
export const revertOf = async (
  { chain, wallet }: Lane,
  call: Call,
  block: Hex | 'latest',
): Promise<Reason | undefined> => {
  const { to, data, value, gasLimit } = call;
  const transaction = { from: wallet, to, data, value: numberToHex(value), gas: numberToHex(gasLimit) };
  try {
    await chain.read([{ method: 'eth_call', params: [transaction, block] }]);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (!isRevert(error)) return undefined;
    const { code, message } = decodeRevert(revertDataOf(error) ?? '0x');
    return { code, message };
  }
};
