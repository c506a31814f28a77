/**
 * Loaded into each process of a soak by `--import`: says every ten seconds what the process holds, in a file of its own below PROBE_FOLDER, and
 * on SIGUSR2 once more, after a full collection.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** What a process holds. */
export interface Holding {
  /** It was collected fully just before. */
  isCollected: boolean;
  heapMb: number;
  /** What the heap has of the system, with what is free in it. */
  committedMb: number;
  externalMb: number;
  /** Timers, sockets, servers and so on that keep the process alive, by kind. */
  resources: Record<string, number>;
  /** Of the process itself. */
  listeners: number;
  /** Warnings since its start: too many listeners of something are one. */
  warnings: number;
}

const { PROBE_FOLDER: folder } = process.env;
if (isMainThread && folder !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let warnings = 0;
  process.on('warning', () => (warnings += 1));
  const tell = (isCollected: boolean): void => {
    const { heapUsed, heapTotal, external } = process.memoryUsage();
    const resources: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const holding: Holding = {
      isCollected,
      heapMb: heapUsed / 2 ** 20,
      committedMb: heapTotal / 2 ** 20,
      externalMb: external / 2 ** 20,
      resources,
      listeners,
      warnings,
    };
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(holding)}\n`);
  };
  setInterval(tell, 10_000, false).unref();
  process.on('SIGUSR2', () => {
    collect();
    setImmediate(() => {
      collect();
      tell(true);
    });
  });
}
