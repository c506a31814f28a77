import { createRpc, type Rpc, type RpcOptions } from '../rpc.ts';
import { chainId } from './calls.ts';
import { isRevert, revertDataOf } from './revert.ts';

/** A client of an EVM chain. */
export const createEvmRpc = (options: Omit<RpcOptions, 'family'>): Rpc =>
  createRpc({
    ...options,
    family: {
      chainId,
      revertOf: (error) => (isRevert(error) ? (revertDataOf(error)?.slice(2).toLowerCase() ?? '') : undefined),
    },
  });
