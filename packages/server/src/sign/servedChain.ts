import type { Chain, Deployment, Eid } from '@mintage/protocol';
import { createEvmRpc } from '../chain/evm/evmRpc.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { Log } from '../log.ts';
import { type GasPolicy, gasPolicyOf } from './gas/gasPolicy.ts';

/** A chain to sign on. */
export interface ServedChain {
  chain: Chain;
  deployment: Deployment;
  /** Providers over HTTP. Two independent ones have to agree about money; with a third, one may be down. */
  rpcUrls: readonly string[];
  /** Overrides the chain's own: blocks below the head that are never expected to be reorganised. */
  finalityBlocks?: number | null;
}

/** A chain with what the signer has to know of it. */
export interface ChainAccess {
  slug: string;
  eid: Eid;
  /** EIP-155: part of what is signed. */
  chainId: number;
  deployment: Deployment;
  finalityBlocks: number;
  gas: GasPolicy;
  rpc: Rpc;
}

const defaultFinalityBlocks = 64;

export const accessTo = ({ chain, deployment, rpcUrls, finalityBlocks }: ServedChain, log: Log): ChainAccess => {
  const { slug, chainId, blockTimeMs } = chain;
  if (chainId === null || chainId !== deployment.chainId)
    throw new Error(`The deployment on chain ${deployment.chainId} is not one on ${slug}.`);
  return {
    slug,
    eid: chain.eid,
    chainId,
    deployment,
    finalityBlocks: finalityBlocks ?? chain.finalityBlocks ?? defaultFinalityBlocks,
    gas: gasPolicyOf(chain),
    rpc: createEvmRpc({ slug, chainId, urls: rpcUrls, blockTimeMs, log }),
  };
};
