import type { ChainContext } from '../../chain/servedChain.ts';

/** Whether anybody mints its dollars: those of a local chain that stands for a mainnet are handled like real ones. */
export const mintsDollars = ({ chain, deployment }: Pick<ChainContext, 'chain' | 'deployment'>): boolean =>
  chain.testnet && deployment.usdMintable;
