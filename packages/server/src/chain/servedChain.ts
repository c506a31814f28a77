import { type Chain, type Decimals, type Deployment, tokenDecimalsOf } from '@mintage/protocol';

/** A chain that this process serves, as it is configured. */
export interface ServedChain {
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

export const decimalsOf = ({ chain, deployment }: Pick<ServedChain, 'chain' | 'deployment'>): Decimals => ({
  token: tokenDecimalsOf(chain),
  usd: deployment.usdDecimals,
});
