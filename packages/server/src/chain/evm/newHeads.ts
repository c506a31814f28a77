import { type Announcements, listenForBlocks } from '../announcements.ts';
import { subscribeToHeads } from './calls.ts';

const heads: Announcements = {
  subscribe: subscribeToHeads,
  blockOf: ({ result }) => Number((result as { number?: unknown } | undefined)?.number),
};

/** Hears from a provider over WebSocket that there is a new block. */
export const listenForHeads = (url: string, announced: (block: number) => void): { stop(): void } =>
  listenForBlocks(url, heads, announced);
