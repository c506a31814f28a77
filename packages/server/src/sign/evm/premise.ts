import { requireHex } from '@mintage/protocol';
import { keccak256 } from 'viem';
import { call } from '../../chain/evm/calls.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Premise } from '../../db/signerTables.ts';
import type { EvmLane } from './chainAccess.ts';

/**
 * Whether two providers confirm the state from which the steps of an intent were prepared. The preparing process may
 * have believed a lying provider, or read a block that has since left the chain.
 *
 * @throws ChainDownError while no two providers say the same.
 */
export const holds = async ({ chain }: EvmLane, { blockNumber, to, data, answerHash }: Premise): Promise<boolean> => {
  try {
    const { answer } = await chain.rpc.agreed(
      async (node) => keccak256(await node.request(call({ to: requireHex(to), data }, blockNumber))) === answerHash,
    );
    return answer;
  } catch (error) {
    if (error instanceof RpcError) return false; // no provider has that block any more
    throw error;
  }
};
