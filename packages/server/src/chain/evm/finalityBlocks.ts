import type { ServedChain } from '../servedChain.ts';

const usualFinalityBlocks = 64;

/** Blocks below the head that are never expected to be reorganised, for the index or for what was sent. */
export const finalityBlocksOf = (
  { chain, finalityBlocks }: Pick<ServedChain, 'chain' | 'finalityBlocks'>,
  of: 'index' | 'sign',
): number => finalityBlocks?.[of] ?? chain.finalityBlocks ?? usualFinalityBlocks;
