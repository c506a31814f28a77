import { decodeRevert } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { RpcError } from '../chain/rpc.ts';
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

/** Why the call would revert in the state of this block; undefined when it would not. */
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
    const { code, message } = decodeRevert(dataOf(error), undefined);
    return { code, message };
  }
};

/** Providers put revert data here or one level deeper. */
const dataOf = ({ data }: RpcError): Hex => {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return typeof inner === 'string' && /^0x([0-9a-f]{2})*$/i.test(inner) ? (inner as Hex) : '0x';
};
