import type { Chain, Deployment } from '@mintage/protocol';
import type { Pulse } from './pulse.ts';
import type { Rpc } from './rpc.ts';

export type Address = `0x${string}`;

/** A chain that can be served: it has an EIP-155 id. */
export type ServedChain = Chain & { chainId: number };

export interface ChainContext {
  chain: ServedChain;
  deployment: Deployment;
  rpc: Rpc;
  /** Pulse of the newest indexed block: answers from the index are as old as it is. */
  indexPulse: Pulse;
  /** Pulse of the newest block that was read from the chain itself. */
  headPulse: Pulse;
  /** Provider that GET /chains may show; null where it is not public. */
  publicRpcUrl: string | null;
  /** True for a chain that this service runs itself. */
  local: boolean;
}

/** A chain to serve. */
export interface ServedChainConfig {
  chain: Chain;
  deployment: Deployment;
  /** Providers in order of preference, at least one over HTTP. An address over WebSocket only announces blocks. */
  rpcUrls: readonly string[];
  /** True for a chain that this process tree runs; its RPC address is shown to everyone. */
  local?: boolean;
  /** Blocks below the head that are never expected to be reorganised, for the index and for what was sent; absent: the chain's own. */
  finalityBlocks?: { index: number; sign: number };
  /** Without a new block for so long nothing is quoted or prepared, milliseconds; absent: what is usual on that chain. */
  staleAfterMs?: number | undefined;
}
