import { type Base58, type Eid, requireSolanaDeployment, type Slug, type SolanaDeployment } from '@mintage/protocol';
import type { Rpc } from '../../chain/rpc.ts';
import type { ServedChain } from '../../chain/servedChain.ts';
import { type Launchpad, launchpadOf } from '../../chain/solana/launchpad.ts';
import { createSolanaRpc } from '../../chain/solana/rpc/solanaRpc.ts';
import type { Log } from '../../log.ts';
import type { Lane } from '../context.ts';
import type { StepReader } from '../policy/policy.ts';
import { type FeePolicy, feePolicyOf } from './feePolicy.ts';
import { solanaReader } from './readActions.ts';

/** A chain with what the signer has to know of it. */
export interface ChainAccess {
  slug: Slug;
  eid: Eid;
  deployment: SolanaDeployment;
  launchpad: Launchpad;
  reader: StepReader;
  fees: FeePolicy;
  rpc: Rpc;
  /** Of providers. */
  configured: number;
}

/** One wallet on one Solana chain. Its transactions have no order among themselves. */
export interface SolanaLane extends Lane {
  chain: ChainAccess;
  wallet: Base58;
}

export const accessTo = ({ chain, deployment: any, rpcUrls, local = false }: ServedChain, log: Log): ChainAccess => {
  const deployment = requireSolanaDeployment(any);
  const rpc = createSolanaRpc({ chain, urls: rpcUrls, isLocal: local, log });
  return {
    slug: chain.slug,
    eid: chain.eid,
    deployment,
    launchpad: launchpadOf(deployment),
    reader: solanaReader(deployment),
    fees: feePolicyOf(chain),
    rpc,
    configured: rpc.providers.configured,
  };
};
