import { createRpc, type Rpc, type RpcOptions } from '../rpc.ts';
import { chainId as askChainId } from './calls.ts';
import { isRevert, revertDataOf } from './revert.ts';

interface EvmRpcOptions extends Omit<RpcOptions, 'family' | 'identity'> {
  /** EIP-155. */
  chainId: number;
}

/** A client of an EVM chain. */
export const createEvmRpc = ({ chainId, ...options }: EvmRpcOptions): Rpc =>
  createRpc({
    ...options,
    identity: chainId,
    family: {
      identity: askChainId,
      revertOf: (error) => (isRevert(error) ? (revertDataOf(error)?.slice(2).toLowerCase() ?? '') : undefined),
    },
  });
