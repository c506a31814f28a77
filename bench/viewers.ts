import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { type Database, startDatabase } from '@mintage/server/db';
import { publish } from '@mintage/server/index';
import type { Kysely } from 'kysely';
import { otherCore, serverCore, startApiProcess, untilListening } from './apiServer.ts';
import { answer, newsOf, received, usageOf } from './fanout.ts';
import type { LoadResult } from './load.ts';
import { canPin, cpuSeconds, pinSelf, startPinned, stopChild } from './pinned.ts';
import { fireRound, measured, median, micros } from './rounds.ts';

const viewers = 1_000;
const rounds = 3;
const roundMs = 2_000;
/** Pages of different addresses, each made anew. */
const madeAnew = 200;
/** Trades that every viewer hears of. */
const live = { perSecond: 20, seconds: 5 };

/**
 * A thousand viewers of the home page: pages a second as they are served, and the CPU of one made anew, beside a bare server of as
 * many bytes; then the CPU of their live values, beside the same library with one send per client. Within a minute.
 */
export const benchViewers = async (): Promise<void> => {
  pinSelf(otherCore);
  if (!canPin) console.log('Processes cannot be pinned here: the figures are less steady.');
  const closers: (() => unknown)[] = [];
  const onEnd = (close: () => unknown): void => {
    closers.unshift(close);
  };
  const home = mkdtempSync(join(tmpdir(), 'mintage-bench-'));
  chmodSync(home, 0o755);
  onEnd(() => rmSync(home, { recursive: true, force: true }));
  try {
    const database = await startDatabase({ home });
    onEnd(database.stop);
    const system = await startSystem({
      env: { CHAINS: 'base-sepolia', DATABASE_URL: database.url, LOG_LEVEL: 'error', MINTAGE_HOME: home },
    });
    onEnd(system.stop);
    const api = await startApiProcess(system, database.url, home);
    onEnd(() => stopChild(api.child));
    await loadPages(api, onEnd);
    await stopChild(api.child);
    await followTrades(database.url, system.db.withTables(), onEnd);
  } finally {
    for (const close of closers) await close();
  }
};

interface Served {
  child: ChildProcess;
  port: number;
}

const loadPages = async (api: Served, onEnd: (close: () => unknown) => void): Promise<void> => {
  const load = startPinned(otherCore, new URL('load.ts', import.meta.url), {});
  onEnd(() => stopChild(load));
  const head = { host: 'localhost', 'accept-encoding': 'br, gzip' };
  const request = `GET / HTTP/1.1\r\n${Object.entries(head)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  const fire = (port: number): Promise<LoadResult> =>
    fireRound(load, { host: '127.0.0.1', port, request, connections: viewers, ms: roundMs, most: 400_000 });
  // The first page builds the app.
  const url = `http://localhost:${api.port}`;
  await fetch(url);
  const { bodyLength } = await fire(api.port);
  const port = await freePort();
  const bare = startPinned(serverCore, new URL('bareServer.ts', import.meta.url), {
    PORT: String(port),
    LENGTH: String(bodyLength),
  });
  onEnd(() => stopChild(bare));
  await untilListening(port);
  await fire(port);

  const found: Record<'perSecond' | 'cpu', number[]> = { perSecond: [], cpu: [] };
  console.log(`${viewers} viewers of the home page, ${bodyLength} bytes, ${roundMs / 1000} s a round`);
  for (let round = 1; round <= rounds; round++) {
    const ours = await measured(api.child, () => fire(api.port));
    const theirs = await measured(bare, () => fire(port));
    if (ours.refused + theirs.refused > 0) throw new Error('Requests were refused: the figures mean nothing.');
    found.perSecond.push(ours.perSecond / theirs.perSecond);
    if (ours.cpuMicros !== null && theirs.cpuMicros !== null) found.cpu.push(theirs.cpuMicros / ours.cpuMicros);
    console.log(
      `round ${round}: ${ours.perSecond.toFixed(0)} pages/s, p99 ${ours.p99Ms.toFixed(0)} ms; bare ${theirs.perSecond.toFixed(0)}/s, ` +
        `p99 ${theirs.p99Ms.toFixed(0)} ms; CPU µs ${micros(ours.cpuMicros)} / ${micros(theirs.cpuMicros)}`,
    );
  }
  const before = cpuSeconds(api.child);
  for (let at = 0; at < madeAnew; at++) {
    const made = await fetch(`${url}/?viewer=${at}`, { headers: head });
    await made.arrayBuffer();
    if (made.status !== 200) throw new Error(`A page was answered by ${made.status}.`);
  }
  const after = cpuSeconds(api.child);
  if (before !== null && after !== null)
    console.log(`a page made anew and compressed: ${(((after - before) * 1_000) / madeAnew).toFixed(1)} ms of CPU`);
  if (found.cpu.length > 0) console.log(`ratio-cpu ${median(found.cpu).toFixed(3)}`);
  console.log(`ratio ${median(found.perSecond).toFixed(3)}`);
};

const followTrades = async (
  databaseUrl: string,
  db: Kysely<Database>,
  onEnd: (close: () => unknown) => void,
): Promise<void> => {
  const { DATABASE_URL: _, ...otherEnv } = process.env;
  const used: Record<'ours' | 'plain', number> = { ours: 0, plain: 0 };
  for (const name of ['ours', 'plain'] as const) {
    const env: Record<string, string> = name === 'ours' ? { DATABASE_URL: databaseUrl } : {};
    const server = fork(new URL('fanoutServer.ts', import.meta.url), { env: { ...otherEnv, ...env } });
    const { port } = await answer<{ port: number }>(server);
    const crowd = fork(new URL('fanoutClients.ts', import.meta.url), {
      env: { ...otherEnv, ...(name === 'plain' && { PLAIN: 'yes' }) },
    });
    onEnd(() => {
      for (const child of [crowd, server]) if (child.connected) child.disconnect();
    });
    crowd.send({ connect: { port, count: viewers } });
    await answer(crowd);
    const tell = async (): Promise<void> => {
      const startedMs = performance.now();
      for (let sent = 0; sent < live.perSecond * live.seconds; sent += 1) {
        const waitMs = startedMs + (sent * 1000) / live.perSecond - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        await db.transaction().execute((tx) => publish(tx, [newsOf()]));
      }
    };
    const before = await usageOf(server);
    const seconds = await received(
      crowd,
      live.perSecond * live.seconds,
      name === 'ours' ? tell : async () => void server.send(live),
    );
    const after = await usageOf(server);
    used[name] = ((after.cpuSeconds - before.cpuSeconds) * 1e6) / viewers / seconds;
    for (const child of [crowd, server]) child.disconnect();
  }
  console.log(
    `live values at ${live.perSecond} trades/s: ${used.ours.toFixed(0)} µs of CPU a second for each of ${viewers} viewers; ` +
      `one send per client ${used.plain.toFixed(0)} µs; ratio-live ${(used.plain / used.ours).toFixed(2)}`,
  );
};
