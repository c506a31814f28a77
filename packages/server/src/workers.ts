import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { countForWorkers } from './api/limits/sharedByWorkers.ts';
import { addUpForWorkers } from './api/surfaces/metrics/ofWorkers.ts';
import { backoffMs } from './backoff.ts';
import { type Config, urlOn, withPort } from './config.ts';
import { createLog } from './createLog.ts';
import { freePort } from './freePort.ts';
import { createLine, type End, isReady, type Line } from './line.ts';

const firstRestMs = 500;
const longestRestMs = 30_000;
/** A worker that lived so long did not fail because of its start, milliseconds. */
const settledMs = 60_000;

export interface Workers {
  /** Address of the API, without the base path. */
  url: string;
  /** With the port that is served. */
  config: Config;
  stop(): Promise<void>;
}

/** One worker, and the next one when it ends by itself. */
interface Kept {
  stop(): Promise<void>;
}

/**
 * Starts `WORKERS` processes of the role `api` on one port, and one more for the other roles, if there are any. This process
 * does no work but to hand out connections, to count for all, and to start again what ends.
 *
 * @throws When a worker ends before it is ready.
 */
export const startWorkers = async (configured: Config): Promise<Workers> => {
  const log = createLog(configured.logLevel);
  const { port, host } = configured;
  const config = port === 0 ? withPort(configured, await freePort(host)) : configured;
  const serving = new Set<Line>();
  const [count, addUp] = [countForWorkers(), addUpForWorkers(serving)];
  const serve = (line: Line): void => {
    count(line);
    addUp(line);
  };
  const others = [...config.roles].filter((role) => role !== 'api').join(',');
  const kept: Kept[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(kept.map((one) => one.stop()));
  };
  const start = async (env: object, join: (line: Line) => void, lines: Set<Line>): Promise<void> => {
    const { worker, ready } = keepWorker({ ...env, PORT: String(config.port), WORKERS: '1' }, { log, join, lines });
    kept.push(worker);
    await ready;
  };
  try {
    if (others !== '') await start({ ROLES: others }, () => {}, new Set());
    const api = { ROLES: 'api' };
    await start(api, serve, serving); // alone, because the first one may make what all of them read
    await Promise.all(Array.from({ length: config.workers - 1 }, () => start(api, serve, serving)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOn(config), config, stop };
};

interface Keeping {
  log: Logger;
  /** Says what this process answers to a new worker. */
  join(line: Line): void;
  /** Those to the workers that are ready. */
  lines: Set<Line>;
}

const keepWorker = (env: object, { log, join, lines }: Keeping): { worker: Kept; ready: Promise<void> } => {
  const first = Promise.withResolvers<void>();
  let isStarted = false;
  let isStopping = false;
  let failures = 0;
  let running: Worker;
  let rest: NodeJS.Timeout | undefined;

  const fork = (): void => {
    const startedMs = performance.now();
    const worker = cluster.fork(env);
    const line = createLine(worker as unknown as End);
    running = worker;
    join(line);
    line.answer(isReady, () => {
      lines.add(line);
      isStarted = true;
      first.resolve();
    });
    worker.on('error', (err) =>
      log.error({ err, worker: worker.process.pid }, 'A worker cannot be reached or started.'),
    );
    worker.once('exit', (code, signal) => {
      lines.delete(line);
      line.cut();
      if (isStopping) return;
      if (!isStarted) {
        first.reject(new Error('A worker ended before it was ready.'));
        return;
      }
      failures = performance.now() - startedMs > settledMs ? 1 : failures + 1;
      const restMs = Math.round(backoffMs(failures, firstRestMs, longestRestMs));
      log.error({ worker: worker.process.pid, code, signal, restMs }, 'A worker ended; another one is started.');
      rest = setTimeout(fork, restMs);
    });
  };
  fork();
  return {
    ready: first.promise,
    worker: {
      async stop() {
        isStopping = true;
        clearTimeout(rest);
        if (running.isDead()) return;
        const ended = once(running, 'exit');
        running.process.kill('SIGTERM');
        await ended;
      },
    },
  };
};
