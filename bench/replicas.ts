import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServers, startPostgresServers } from '@mintage/devnet/postgresServers';
import { configFromEnv, startApi } from '@mintage/server/api';
import { migrate, openDatabase, openReaders, watchServers } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import { sql } from 'kysely';
import { treeCpuMs } from '../scripts/testing/processTree.ts';
import type { LoadResult } from './load.ts';
import { startPinned, stopChild } from './pinned.ts';
import { servedChain } from './reads.ts';
import { fillReadsData, readsChains } from './readsData.ts';
import { fireRound, warmUp } from './rounds.ts';

const size = { events: 60_000, tokens: 2_000, wallets: 6_000 };
const roundMs = 8_000;
const rounds = 3;
const connections = 24;
/** Commits beside the reads, so that standbys always have something to catch up with. */
const writesPerSecond = 50;

/**
 * Reads a second of one API over a primary with 0, 1 and 2 standbys, in turn, and what a read costs each server. On one machine all servers
 * share its cores, so the answer is the cost: with a core of its own for each server, the busiest of them is where it ends.
 */
export const benchReplicas = async (): Promise<void> => {
  const ends: (() => unknown)[] = [];
  try {
    const postgres = await startPostgresServers();
    ends.push(postgres.stop);
    const { url } = postgres.primary();
    const db = openDatabase(url);
    ends.push(() => db.destroy());
    await migrate(db);
    await fillReadsData(url, size);
    await makeLogged(url);
    await sql`create table bench_note (id bigint)`.execute(db);
    const writing = setInterval(() => {
      sql`insert into bench_note values (1)`.execute(db).catch(() => undefined);
    }, 1000 / writesPerSecond);
    ends.push(() => clearInterval(writing));

    const load = startPinned(0, new URL('load.ts', import.meta.url), {});
    ends.push(() => stopChild(load));
    const sides: Side[] = [];
    for (let standbys = 0; standbys <= 2; standbys++) {
      const side = await serve(postgres, standbys, load);
      ends.push(side.stop);
      sides.push(side);
      await warmUp(side.fire);
    }
    console.log(`${connections} connections, ${roundMs / 1000} s a round, ${writesPerSecond} commits/s beside them`);
    console.log(
      'standbys   reads/s   p50 / p99 ms   database µs a read: primary, standbys   by standbys   with a core each',
    );
    const reached: number[][] = [[], [], []];
    for (let round = 1; round <= rounds; round++) {
      for (const [standbys, side] of sides.entries()) {
        const before = postgres.all.map((server) => treeCpuMs(server.pid()));
        const countedBefore = await side.byStandbys();
        const result = await side.fire(roundMs);
        if (result.refused > 0) throw new Error(`${result.refused} reads were refused: the figures mean nothing.`);
        const micros = postgres.all.map(
          (server, i) => ((treeCpuMs(server.pid()) - (before[i] as number)) * 1000) / result.answers,
        );
        const share = ((await side.byStandbys()) - countedBefore) / result.answers;
        const possible = 1e6 / Math.max(...micros);
        reached[standbys]?.push(possible);
        console.log(
          `${String(standbys).padEnd(11)}${(result.answers / result.seconds).toFixed(0).padEnd(10)}` +
            `${result.p50Ms.toFixed(1)} / ${result.p99Ms.toFixed(1)}`.padEnd(15) +
            `${micros
              .map((one) => one.toFixed(0))
              .join(', ')
              .padEnd(41)}${`${(share * 100).toFixed(0)} %`.padEnd(14)}${possible.toFixed(0)}`,
        );
      }
    }
    const [none = 0, one = 0, two = 0] = reached.map((values) => values.toSorted((a, b) => a - b)[values.length >> 1]);
    console.log(
      `with a core for each server, beside none: one standby ${(one / none).toFixed(2)}, two ${(two / none).toFixed(2)}`,
    );
    console.log(`ratio ${(two / none).toFixed(2)}`);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
};

interface Side {
  fire(ms: number): Promise<LoadResult>;
  /** Reads that standbys answered so far. */
  byStandbys(): Promise<number>;
  stop(): Promise<void>;
}

/** An API in this process, over the primary and so many of its standbys. */
const serve = async (postgres: PostgresServers, standbys: number, load: ChildProcess): Promise<Side> => {
  const { url } = postgres.primary();
  const replicas = postgres.all.filter((server) => server.url !== url).slice(0, standbys);
  const silent = { info() {}, warn() {}, error() {} };
  const servers = standbys === 0 ? undefined : watchServers([url, ...replicas.map((one) => one.url)], silent);
  await servers?.look();
  const readers = servers && openReaders(servers, {});
  const db = openDatabase(url, { servers });
  const allowed = JSON.stringify({ anonymous: 1e9 });
  const config = configFromEnv({ PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: allowed, NODE_ENV: 'production' });
  const chains = readsChains.map(servedChain);
  const api = await startApi({ config, db, readers, chains, createClient: await clientsOf(chains) });
  const { host, hostname, port } = new URL(api.url);
  const body = JSON.stringify({ order_by: 'volume_24h', limit: 50 });
  const request =
    `POST /functions/v1/get-tokens-v2 HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  return {
    fire: (ms) => fireRound(load, { host: hostname, port: Number(port), request, connections, ms, most: 400_000 }),
    async byStandbys() {
      const text = await api.context.metrics.registry.metrics();
      return Number(/^mintage_reads_total\{by="standby"\} (\d+)/m.exec(text)?.[1] ?? 0);
    },
    async stop() {
      await api.stop();
      await readers?.stop();
      await db.destroy();
      await servers?.stop();
      await sleep(10);
    },
  };
};

/** The generated tables are unlogged, and such ones do not reach a standby. */
const makeLogged = async (url: string): Promise<void> => {
  const db = openDatabase(url, { maxConnections: 1 });
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relpersistence = 'u' and relkind = 'r'`.execute(db);
  for (const { name } of rows) await sql`alter table ${sql.raw(name)} set logged`.execute(db);
  await db.destroy();
};
