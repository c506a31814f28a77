import { keccak256 } from 'viem';
import { call } from '../../chain/evm/calls.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Premise } from '../../db/signerTables.ts';
import type { Hex, Lane } from '../context.ts';

/**
 * Whether the chain was as the steps of an intent suppose, by two providers. Whoever prepared them may have believed one
 * that lies, or a block that has left the chain.
 *
 * @throws ChainDownError while no two providers say the same.
 */
export const holds = async ({ chain }: Lane, { blockNumber, to, data, answerHash }: Premise): Promise<boolean> => {
  try {
    const { answer } = await chain.rpc.agreed(
      async (node) =>
        keccak256(await node.request(call({ to: to as Hex, data: data as Hex }, blockNumber))) === answerHash,
    );
    return answer;
  } catch (error) {
    if (error instanceof RpcError) return false; // no provider knows that block any more
    throw error;
  }
};
