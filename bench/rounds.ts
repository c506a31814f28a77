import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.ts';
import { cpuSeconds } from './pinned.ts';

/** Rounds of load on a server, one after another. */

export const roundMs = 2_000;
export const connections = 48;
const enoughAnswers = 30_000;
const longestWarmUpMs = 30_000;

export const fireRound = async (load: ChildProcess, order: LoadOrder): Promise<LoadResult> => {
  const waiting = new AbortController();
  const { signal } = waiting;
  load.send(order);
  try {
    const ended = once(load, 'exit', { signal }).then(() => {
      throw new Error('The load generator ended.');
    });
    const [result] = await Promise.race([once(load, 'message', { signal }), ended]);
    return result as LoadResult;
  } finally {
    waiting.abort();
  }
};

/** Until the compiler has seen enough; the length of an answer's body. */
export const warmUp = async (
  fire: (ms: number) => Promise<LoadResult>,
  longestMs = longestWarmUpMs,
): Promise<number> => {
  const until = performance.now() + longestMs;
  for (let answers = 0; ; ) {
    const result = await fire(roundMs);
    if (result.refused > 0) throw new Error(`${result.refused} requests were refused: the figures would mean nothing.`);
    answers += result.answers;
    if (answers >= enoughAnswers || performance.now() > until) return result.bodyLength;
  }
};

export interface Measured extends LoadResult {
  perSecond: number;
  /** CPU time of the server for each answer; null where the system does not tell. */
  cpuMicros: number | null;
}

export const measured = async (server: ChildProcess, round: () => Promise<LoadResult>): Promise<Measured> => {
  const before = cpuSeconds(server);
  const result = await round();
  const after = cpuSeconds(server);
  const cpuMicros = before === null || after === null ? null : ((after - before) * 1e6) / result.answers;
  return { ...result, perSecond: result.answers / result.seconds, cpuMicros };
};

export const micros = (value: number | null): string => value?.toFixed(1) ?? 'unknown';

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Microseconds of one call, after a tenth as many to warm up. */
export const microsOf = async (times: number, work: () => unknown): Promise<number> => {
  for (let i = 0; i < times / 10; i++) await work();
  const started = performance.now();
  for (let i = 0; i < times; i++) {
    const done = work();
    if (done instanceof Promise) await done;
  }
  return ((performance.now() - started) * 1000) / times;
};
