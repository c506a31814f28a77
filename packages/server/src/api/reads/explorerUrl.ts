import type { ChainContext } from '../../chain/chainContext.ts';

/** Where people look up the chain, without a slash at the end. No explorer shows a chain that runs here, whatever its id. */
export const explorerUrlOf = ({ chain, local }: Pick<ChainContext, 'chain' | 'local'>): string | null =>
  local ? null : chain.explorerUrl;
