import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@mintage/server/db';
import { publish } from '@mintage/server/index';
import { startBenchDatabase } from './benchDatabase.ts';
import { answer, newsOf, received, usageOf } from './fanout.ts';

const processes = 4;
const clients = 5_000;
const rate = { perSecond: 20, seconds: 15 };

/**
 * 5,000 WebSocket clients over four API processes, which one database tells of each event: how long a message of 250 bytes takes from before its
 * transaction until a client has it, and what it costs. Nothing may be missing: the run ends when every client has every message.
 */
export const benchStreams = async (): Promise<void> => {
  const database = await startBenchDatabase();
  const children: ChildProcess[] = [];
  const start = (file: string, env: NodeJS.ProcessEnv): ChildProcess => {
    const child = fork(new URL(file, import.meta.url), { env: { ...process.env, ...env } });
    children.push(child);
    return child;
  };
  try {
    await migrate(database.db);
    const sides = [];
    for (let i = 0; i < processes; i++) {
      const server = start('./fanoutServer.ts', { DATABASE_URL: database.url });
      const { port } = await answer<{ port: number }>(server);
      const crowd = start('./fanoutClients.ts', {});
      crowd.send({ connect: { port, count: clients / processes } });
      await answer(crowd);
      sides.push({ server, crowd });
    }
    const tick = async (): Promise<void> => {
      const startedMs = performance.now();
      for (let i = 0; i < rate.perSecond * rate.seconds; i++) {
        await sleep(Math.max(0, startedMs + (i * 1000) / rate.perSecond - performance.now()));
        await database.db.transaction().execute((tx) => publish(tx, [newsOf()]));
      }
    };
    await tick(); // the compiler's round
    const before = await Promise.all(sides.map(({ server }) => usageOf(server)));
    const [first, ...others] = sides.map(({ crowd }) => crowd) as [ChildProcess, ...ChildProcess[]];
    const messages = rate.perSecond * rate.seconds;
    await Promise.all([
      received(first, messages, tick),
      ...others.map((crowd) => received(crowd, messages, async () => {})),
    ]);
    const after = await Promise.all(sides.map(({ server }) => usageOf(server)));
    const delaysMs: number[] = [];
    for (const { crowd } of sides) {
      crowd.send({ latencies: true });
      delaysMs.push(...(await answer<{ latencies: number[] }>(crowd)).latencies);
    }
    const sorted = delaysMs.toSorted((a, b) => a - b);
    const cpuSeconds = after.reduce((sum, one, i) => sum + one.cpuSeconds - (before[i]?.cpuSeconds ?? 0), 0);
    const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
    console.log(
      `${clients} clients over ${processes} processes, ${rate.perSecond} messages/s for ${rate.seconds} s: every client has all ${messages}`,
    );
    console.log(
      `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.99999)}; a process ${Math.max(...after.map(({ rssMiB }) => rssMiB)).toFixed(0)} MiB at most`,
    );
    console.log(`deliveries per CPU second of the servers ${((messages * clients) / cpuSeconds).toFixed(0)}`);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    await database.stop();
  }
};
