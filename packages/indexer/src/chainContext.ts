import type { Deployment } from '@mintage/protocol';
import type { Hex } from './events/log.ts';

/** What never changes about an indexed chain. */
export interface ChainContext {
  chainId: number;
  slug: string;
  /** LayerZero endpoint id: part of every token's platform id. */
  eid: number;
  usd: Hex;
  launchpad: Hex;
  poolManager: Hex | null;
  /** Hold tokens for others, or for nobody: they have no balance rows and are no holders. */
  notHolders: ReadonlySet<Hex>;
}

const zero: Hex = `0x${'0'.repeat(40)}`;
const dead: Hex = `0x${'0'.repeat(36)}dead`;

export const chainContext = (chain: { slug: string; eid: number }, deployment: Deployment): ChainContext => {
  const { chainId, usd, launchpad, poolManager, poolHook, tokenBridge } = deployment;
  const notHolders = [zero, dead, launchpad, poolHook, tokenBridge, ...(poolManager === null ? [] : [poolManager])];
  return {
    chainId,
    slug: chain.slug,
    eid: chain.eid,
    usd: lower(usd),
    launchpad: lower(launchpad),
    poolManager: poolManager === null ? null : lower(poolManager),
    notHolders: new Set(notHolders.map(lower)),
  };
};

const lower = (address: Hex): Hex => address.toLowerCase() as Hex;
