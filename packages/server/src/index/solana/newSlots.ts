import { type Announcements, listenForBlocks } from '../../chain/announcements.ts';

/** A slot is announced when it is processed; the one that it follows is the newest that may be confirmed. */
const slots: Announcements = {
  subscribe: { method: 'slotSubscribe', params: [] },
  blockOf: ({ result }) => (result as { parent?: unknown } | undefined)?.parent,
};

/** Hears from a provider over WebSocket that there is a new block. */
export const listenForSlots = (url: string, announced: (slot: number) => void): { stop(): void } =>
  listenForBlocks(url, slots, announced);
