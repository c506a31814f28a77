import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chainBySlug } from '@mintage/protocol';
import { migrate } from '@mintage/server/db';
import { type News, publish } from '@mintage/server/index';
import { startBenchDatabase } from './benchDatabase.ts';
import { dataOf } from './fanoutMessage.ts';

const clients = 1_000;
const burst = 400;
/** Events of one transaction: what a busy block brings. */
const perBlock = 20;
const rounds = 5;
const rate = { perSecond: 50, seconds: 5 };

/**
 * Deliveries of 250-byte messages to 1,000 WebSocket clients in another process: our streams, fed through the outbox in
 * the database, beside the same library with one send per client, fed from memory. Then how long a message takes at 50 a
 * second, for ours from before its transaction began.
 */
export const benchFanout = async (): Promise<void> => {
  const database = await startBenchDatabase();
  const children: ChildProcess[] = [];
  const { DATABASE_URL: _, ...otherEnv } = process.env;
  try {
    await migrate(database.db);
    const start = async (file: string, env: Record<string, string> = {}): Promise<ChildProcess> => {
      const child = fork(new URL(file, import.meta.url), { env: { ...otherEnv, ...env } });
      children.push(child);
      return child;
    };
    const serve = async (env: Record<string, string>): Promise<Side> => {
      const server = await start('./fanoutServer.ts', env);
      const { port } = await answer<{ port: number }>(server);
      const crowd = await start('./fanoutClients.ts', env.DATABASE_URL === undefined ? { PLAIN: 'yes' } : {});
      crowd.send({ connect: { port, count: clients } });
      await answer(crowd);
      return { server, crowd };
    };
    const outbox = (count: number): Promise<unknown> =>
      database.db.transaction().execute((tx) => publish(tx, Array.from({ length: count }, newsOf)));
    const ours = await serve({ DATABASE_URL: database.url });
    const plain = await serve({});

    const fill = {
      ours: async () => {
        for (let sent = 0; sent < burst; sent += perBlock) await outbox(perBlock);
      },
      plain: async () => void plain.server.send({ burst }),
    };
    const perSecond: Record<'ours' | 'plain', number[]> = { ours: [], plain: [] };
    const perCpu: Record<'ours' | 'plain', number[]> = { ours: [], plain: [] };
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, side] of [
        ['ours', ours],
        ['plain', plain],
      ] as const) {
        const before = await usageOf(side.server);
        const seconds = await received(side.crowd, burst, fill[name]);
        const after = await usageOf(side.server);
        if (round < 0) continue; // the compiler's round
        console.log(`round ${round + 1}, ${name}: ${Math.round((burst * clients) / seconds)} deliveries/s`);
        perSecond[name].push((burst * clients) / seconds);
        perCpu[name].push((burst * clients) / (after.cpuSeconds - before.cpuSeconds));
      }
    }
    const tick = async (): Promise<void> => {
      const startedMs = performance.now();
      for (let i = 0; i < rate.perSecond * rate.seconds; i += 1) {
        const waitMs = startedMs + (i * 1000) / rate.perSecond - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        await outbox(1);
      }
    };
    const steady = { ours: tick, plain: async () => void plain.server.send(rate) };
    console.log(`${clients} clients, ${burst} messages of 250 bytes a round, ${rounds} rounds, interleaved`);
    for (const [name, side] of [
      ['ours', ours],
      ['plain', plain],
    ] as const) {
      await received(side.crowd, rate.perSecond * rate.seconds, steady[name]);
      side.crowd.send({ latencies: true });
      const { latencies } = await answer<{ latencies: number[] }>(side.crowd);
      const { rssMiB } = await usageOf(side.server);
      console.log(
        (name === 'ours' ? 'ours, through the outbox   ' : 'ws, one send per client    ') +
          `${Math.round(median(perSecond[name]))} deliveries/s (${Math.round(Math.min(...perSecond[name]))} to ` +
          `${Math.round(Math.max(...perSecond[name]))}), ${Math.round(median(perCpu[name]))} per CPU second of the server; ` +
          `at ${rate.perSecond}/s p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms; ` +
          `${Math.round(rssMiB)} MiB`,
      );
    }
    console.log(`ratio-cpu ${(median(perCpu.ours) / median(perCpu.plain)).toFixed(2)}`);
    console.log(`ratio ${(median(perSecond.ours) / median(perSecond.plain)).toFixed(2)}`);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    await database.stop();
  }
};

interface Side {
  server: ChildProcess;
  crowd: ChildProcess;
}

export const answer = async <T>(child: ChildProcess): Promise<T> => {
  const waiting = new AbortController();
  try {
    const ended = once(child, 'exit', { signal: waiting.signal }).then(() => {
      throw new Error('a process of the benchmark ended');
    });
    const [message] = await Promise.race([once(child, 'message', { signal: waiting.signal }), ended]);
    return message as T;
  } finally {
    waiting.abort();
  }
};

export const usageOf = async (server: ChildProcess): Promise<{ cpuSeconds: number; rssMiB: number }> => {
  server.send({ usage: true });
  return (await answer<{ usage: { cpuSeconds: number; rssMiB: number } }>(server)).usage;
};

/** Seconds from the first publishing until every client has taken `count` messages. */
export const received = async (crowd: ChildProcess, count: number, fill: () => Promise<void>): Promise<number> => {
  crowd.send({ expect: count });
  await answer(crowd);
  const all = answer(crowd);
  const started = performance.now();
  await fill();
  await all;
  return (performance.now() - started) / 1000;
};

export const newsOf = (): News => ({
  topic: 'tokenActivity',
  eid: chainBySlug('base-sepolia').eid,
  block_number: 1,
  time: new Date(),
  platform_id: null,
  wallet: null,
  retracts: null,
  data: dataOf(),
});

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);
