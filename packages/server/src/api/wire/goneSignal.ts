import type { ServerResponse } from 'node:http';

/** Aborts when the connection of an answer has closed. */
export const closedSignal = (response: ServerResponse): AbortSignal => {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (response.closed) closed.abort();
  return closed.signal;
};

/**
 * Aborts when nobody waits for an answer any more: its connection has closed, or its time is over.
 *
 * @param untilMs - On the clock of `performance.now()`.
 */
export const goneSignal = (response: ServerResponse, untilMs: number): AbortSignal =>
  AbortSignal.any([closedSignal(response), AbortSignal.timeout(Math.max(0, Math.ceil(untilMs - performance.now())))]);
