import type { Slug } from '@mintage/protocol';
import { specifiedToolChains } from '@mintage/protocol/tools';
import type { ServiceContext } from '../serviceContext.ts';

/** Chains on which tools act: as configured, else those of the specification and, on a laptop, its local ones. */
export const toolChainsOf = ({ config, chains }: Pick<ServiceContext, 'config' | 'chains'>): Slug[] => {
  if (config.toolChains !== null) return [...config.toolChains];
  const local = [...chains.values()].filter(({ local: isLocal }) => isLocal).map(({ chain }) => chain.slug);
  return [...new Set([...specifiedToolChains, ...local])];
};
