import type { ServerResponse } from 'node:http';

/**
 * Aborts when nobody waits for an answer any more: its connection has closed, or its time is over.
 *
 * @param untilMs - On the clock of `performance.now()`.
 */
export const goneSignal = (response: ServerResponse, untilMs: number): AbortSignal => {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (response.closed) closed.abort();
  return AbortSignal.any([closed.signal, AbortSignal.timeout(Math.max(0, Math.ceil(untilMs - performance.now())))]);
};
