import type { ChainContext } from '../../chain/chainContext.ts';

/**
 * Whether anyone may mint the chain's dollar token. False for a local chain that stands for a mainnet: its dollars are
 * treated as real.
 */
export const mintsDollars = ({ chain, deployment }: Pick<ChainContext, 'chain' | 'deployment'>): boolean =>
  chain.testnet && deployment.usdMintable;
