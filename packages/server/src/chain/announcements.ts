import { backoffMs } from '../backoff.ts';

/** How a family's providers announce blocks over WebSocket. */
export interface Announcements {
  /** The call that asks for them. */
  subscribe: { method: string; params: readonly unknown[] };
  /** The number of the block that a message announces; anything else of every other message. */
  blockOf(params: { result?: unknown }): unknown;
}

/**
 * Hears from a provider over WebSocket that there is a new block, and connects again
 * whenever that ends. What it says is a hint to look, so nothing is lost while it is silent.
 */
export const listenForBlocks = (
  url: string,
  { subscribe, blockOf }: Announcements,
  announced: (block: number) => void,
): { stop(): void } => {
  const opening = JSON.stringify({ jsonrpc: '2.0', id: 1, ...subscribe });
  const numberIn = (data: unknown): number | undefined => {
    try {
      const { params = {} } = JSON.parse(String(data)) as { params?: { result?: unknown } };
      const block = blockOf(params);
      return Number.isSafeInteger(block) ? (block as number) : undefined;
    } catch {
      return undefined; // a message that is not JSON is ignored
    }
  };
  let socket: WebSocket;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopped = false;

  const connect = (): void => {
    socket = new WebSocket(url);
    socket.addEventListener('open', () => socket.send(opening));
    socket.addEventListener('message', ({ data }) => {
      const block = numberIn(data);
      if (block === undefined) return;
      failures = 0;
      announced(block);
    });
    socket.addEventListener('close', () => {
      if (isStopped) return;
      failures += 1;
      retry = setTimeout(connect, backoffMs(failures, 1_000, longestRestMs));
    });
  };
  connect();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(retry);
      socket.close();
    },
  };
};

const longestRestMs = 300_000;
