import { readFileSync } from 'node:fs';
import { startRedis } from '@mintage/devnet/redis';
import { listen, migrate } from '@mintage/server/db';
import { publish } from '@mintage/server/index';
import { Redis } from 'ioredis';
import { treeCpuMs } from '../scripts/testing/processTree.ts';
import { startBenchDatabase } from './benchDatabase.ts';
import { newsOf } from './fanout.ts';

const crowds = [1, 4, 16, 64];
const count = 300;
const perSecond = 50;
const channel = 'mintage_stream';

/**
 * How an event becomes known to every API: announced by the database with its commit, as we do, or by Redis after the commit. For each
 * number of APIs: from before the transaction until the last has heard, and what an announcement costs both servers beside none.
 */
export const benchAnnounce = async (): Promise<void> => {
  const database = await startBenchDatabase();
  const redis = await startRedis();
  try {
    await migrate(database.db);
    const postmaster = Number.parseInt(readFileSync(`${database.home}/postgres/data/postmaster.pid`, 'utf8'), 10);
    const cpuMs = (): number => treeCpuMs(postmaster) + treeCpuMs(redis.pid);
    const announcer = new Redis(redis.url);
    const commit = (): Promise<unknown> => database.db.transaction().execute((tx) => publish(tx, [newsOf()]));

    const measure = async (announce: () => Promise<unknown>, listeners: number): Promise<Figures> => {
      const delaysMs: number[] = [];
      const before = cpuMs();
      const started = performance.now();
      for (let i = 0; i < count; i++) {
        const waitMs = started + (i * 1000) / perSecond - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        const began = performance.now();
        const everybody = heardBy(listeners);
        await announce();
        await everybody;
        delaysMs.push(performance.now() - began);
      }
      const sorted = delaysMs.toSorted((a, b) => a - b);
      return {
        p50: sorted[count >> 1] ?? 0,
        p99: sorted[Math.floor(count * 0.99)] ?? 0,
        micros: ((cpuMs() - before) * 1000) / count,
      };
    };
    await measure(commit, 0);
    const none = await measure(commit, 0);
    console.log(`${count} commits of one event at ${perSecond}/s; without listeners ${written(none)}`);
    let ratio = Number.NaN;
    for (const listeners of crowds) {
      const byDatabase = Array.from({ length: listeners }, () =>
        listen(database.db, { channel, heard: (payload) => payload !== null && heard(), onError: console.error }),
      );
      await settled();
      const byUs = await measure(commit, listeners);
      await Promise.all(byDatabase.map((one) => one.stop()));

      const subscribers = Array.from({ length: listeners }, () => new Redis(redis.url));
      for (const one of subscribers) {
        one.on('message', heard);
        await one.subscribe(channel);
      }
      const byThem = await measure(() => commit().then(() => announcer.publish(channel, '{}')), listeners);
      for (const one of subscribers) one.disconnect();
      console.log(
        `${String(listeners).padStart(3)} APIs: by the database ${written(byUs)}; by Redis ${written(byThem)}`,
      );
      ratio = byUs.p50 / byThem.p50;
    }
    announcer.disconnect();
    console.log(`ratio ${ratio.toFixed(2)}`);
  } finally {
    await redis.stop();
    await database.stop();
  }
};

interface Figures {
  p50: number;
  p99: number;
  /** CPU of both servers for each commit. */
  micros: number;
}

const written = ({ p50, p99, micros }: Figures): string =>
  `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${micros.toFixed(0)} µs of CPU`;

let missing = 0;
let all: (() => void) | undefined;

const heardBy = (listeners: number): Promise<void> => {
  missing = listeners;
  return new Promise((resolve) => {
    all = resolve;
    if (listeners === 0) resolve();
  });
};

const heard = (): void => {
  missing -= 1;
  if (missing === 0) all?.();
};

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));
