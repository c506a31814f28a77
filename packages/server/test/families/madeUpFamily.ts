import type { ServedChain } from '../../src/chain/servedChain.ts';
import { type ChainFamilies, chainFamilies } from '../../src/families.ts';
import type { MadeUpChain } from './madeUpChain.ts';
import { MadeUpClient } from './madeUpClient.ts';
import { followerOf } from './madeUpFollower.ts';
import { signingOf } from './madeUpSigning.ts';
import { deployment, madeUpChainEntry } from './program.ts';

/** The families of the service, with the made-up one in the place of Solana. */
export const familiesWith = (chain: MadeUpChain): ChainFamilies => ({
  ...chainFamilies,
  solana: {
    client: async () => () => new MadeUpClient(chain),
    follower: async () => followerOf(chain),
    signing: async () => signingOf(chain),
  },
});

/** The made-up chain as a process is configured to serve it. It has no providers: it is in memory. */
export const madeUpServed: ServedChain = {
  chain: madeUpChainEntry,
  deployment,
  rpcUrls: [],
  local: true,
  staleAfterMs: Number.POSITIVE_INFINITY,
};
