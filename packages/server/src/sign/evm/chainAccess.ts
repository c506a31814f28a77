import { type Eid, type EvmDeployment, requireEvmDeployment, type Slug } from '@mintage/protocol';
import type { Hex } from 'viem';
import { createEvmRpc } from '../../chain/evm/evmRpc.ts';
import { finalityBlocksOf } from '../../chain/evm/finalityBlocks.ts';
import type { Rpc } from '../../chain/rpc.ts';
import type { ServedChain } from '../../chain/servedChain.ts';
import type { Log } from '../../log.ts';
import type { Lane } from '../context.ts';
import type { StepReader } from '../policy/policy.ts';
import { evmReader } from './evmReader.ts';
import { type GasPolicy, gasPolicyOf } from './gasPolicy.ts';

/** A chain with what the signer has to know of it. */
export interface ChainAccess {
  slug: Slug;
  eid: Eid;
  /** EIP-155: part of what is signed. */
  chainId: number;
  deployment: EvmDeployment;
  reader: StepReader;
  finalityBlocks: number;
  gas: GasPolicy;
  rpc: Rpc;
}

/** One wallet on one EVM chain: the unit in which nonces are counted. */
export interface EvmLane extends Lane {
  chain: ChainAccess;
  wallet: Hex;
}

/** The lane as chain questions name it. */
export const accountOf = ({ chain: { rpc, chainId }, wallet }: EvmLane) => ({ rpc, chainId, wallet });

/** @throws Error for a chain that the signer cannot send on. */
export const accessTo = ({ chain, deployment: any, rpcUrls, finalityBlocks }: ServedChain, log: Log): ChainAccess => {
  const { slug, chainId, blockTimeMs } = chain;
  const deployment = requireEvmDeployment(any);
  if (chainId === null || chainId !== deployment.chainId)
    throw new Error(`The deployment on chain ${deployment.chainId} is not one on ${slug}.`);
  return {
    slug,
    eid: chain.eid,
    chainId,
    deployment,
    reader: evmReader(deployment),
    finalityBlocks: finalityBlocksOf({ chain, finalityBlocks }, 'sign'),
    gas: gasPolicyOf(chain),
    rpc: createEvmRpc({ slug, chainId, urls: rpcUrls, blockTimeMs, log }),
  };
};
