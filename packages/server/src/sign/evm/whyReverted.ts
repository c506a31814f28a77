import { decodeRevert } from '@mintage/protocol';
import { call as evmCall } from '../../chain/evm/calls.ts';
import { explainShortage } from '../../chain/evm/dollarShortage.ts';
import { isRevert, revertDataOf } from '../../chain/evm/revert.ts';
import { ChainDownError } from '../../chain/rpc.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Reason } from '../lanes/intents.ts';
import type { Call } from './call.ts';
import type { EvmLane } from './chainAccess.ts';

type LimitedCall = Call & { gasLimit: number };

/** Repeats the call at the end of a block to learn why its transaction reverted there. */
export const whyReverted = async (lane: EvmLane, call: LimitedCall, blockNumber: number): Promise<Reason> => {
  const reason = revertOf(lane, call, blockNumber).catch((error: unknown) => {
    if (error instanceof ChainDownError) return undefined; // the revert itself is known, only its reason is not
    throw error;
  });
  return (
    (await reason) ?? {
      code: 'TRANSACTION_FAILED',
      message: 'The transaction reverted; at the end of its block the same call would not.',
    }
  );
};

/**
 * Why the call would revert in the state of this block, as two providers agree; undefined when it would not, or all
 * providers refuse to answer.
 *
 * @throws ChainDownError when no two say the same.
 */
export const revertOf = async (
  { chain, wallet }: EvmLane,
  call: LimitedCall,
  blockNumber: number,
): Promise<Reason | undefined> => {
  const { to, data, value, gasLimit } = call;
  const transaction = { from: wallet, to, data, value, gas: BigInt(gasLimit) };
  try {
    await chain.rpc.agreed(async (node) => {
      await node.request(evmCall(transaction, blockNumber));
      return true; // the return value of a successful call does not matter
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (!isRevert(error)) return undefined;
    const reason = decodeRevert(revertDataOf(error) ?? '0x');
    const { code, message } = await explainShortage(chain, reason, { wallet, to, blockNumber });
    return { code, message };
  }
};
