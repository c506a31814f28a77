import { backoffMs } from '../../backoff.ts';
import { subscribeToHeads } from './calls.ts';

/**
 * Hears from a provider over WebSocket that there is a new block, and connects again
 * whenever that ends. What it says is a hint to look, so nothing is lost while it is silent.
 */
export const listenForHeads = (url: string, announced: (block: number) => void): { stop(): void } => {
  let socket: WebSocket;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopped = false;

  const connect = (): void => {
    socket = new WebSocket(url);
    socket.addEventListener('open', () => socket.send(subscribe));
    socket.addEventListener('message', ({ data }) => {
      const block = blockOf(data);
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
const subscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, ...subscribeToHeads });

const blockOf = (data: unknown): number | undefined => {
  try {
    const message = JSON.parse(String(data)) as { params?: { result?: { number?: unknown } } };
    const block = Number(message.params?.result?.number);
    return Number.isSafeInteger(block) ? block : undefined;
  } catch {
    return undefined; // a message that is not JSON is ignored
  }
};
