import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClosers } from '@mintage/server';
import { type Database, openDatabase, openReaders, type Servers, watchServers } from '@mintage/server/db';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../src/testDatabase.ts';
import { type PostgresServer, type PostgresServers, startPostgresServers } from './scaleOut/postgresServers.ts';

type Tables = { note: { id: number } };

describe('a database with two standbys', () => {
  const closers = createClosers();
  const said: string[] = [];
  const say = (_: object, line: string) => void said.push(line);
  const log = { info: say, warn: say, error: say };
  let postgres: PostgresServers;
  let servers: Servers;
  let db: Kysely<Tables>;
  let readers: ReturnType<typeof openReaders>;
  const note = (id: number) => db.insertInto('note').values({ id }).execute();
  const notes = async (from: Kysely<Tables>): Promise<number[]> =>
    (await from.selectFrom('note').select('id').orderBy('id').execute()).map(({ id }) => id);

  beforeAll(async () => {
    postgres = await startPostgresServers();
    closers.add(postgres.stop);
    // The list begins with a standby: which one takes writes is found out.
    const urls = postgres.all.map(({ url }) => url).toReversed();
    servers = watchServers(urls as [string, ...string[]], log);
    closers.add(servers.stop);
    await servers.look();
    db = openDatabase<Tables>(urls[0] as string, { servers, onConnectionLost() {} });
    closers.add(() => db.destroy());
    readers = openReaders(servers, { onConnectionLost() {} });
    closers.add(readers.stop);
    await sql`create table note (id int primary key)`.execute(db);
  });
  afterAll(() => closers.closeAll());

  it('a read at a standby shows what was committed before it', async () => {
    let byStandby = 0;
    for (let id = 1; id <= 200; id++) {
      await note(id);
      const standby = await readers.next();
      if (standby !== null) byStandby += 1;
      expect((await notes(standby?.withTables<Tables>() ?? db)).length).toBe(id);
    }
    // How often it has caught up in time depends on the machine.
    expect(byStandby).toBeGreaterThan(0);
  });

  it('a standby that lags behind is not asked, until it has caught up', async () => {
    const standbys = postgres.all.filter((server) => server !== postgres.primary());
    for (const { ask } of standbys) await ask('select pg_wal_replay_pause()');
    await note(201);
    const soon = performance.now();
    while (performance.now() < soon + 500) expect(await readers.next()).toBeNull();
    for (const { ask } of standbys) await ask('select pg_wal_replay_resume()');
    await expect.poll(async () => (await readers.next()) !== null).toBe(true);
  });

  it('H2 a standby of another database answers no reads', async () => {
    const standby = postgres.all.find((server) => server !== postgres.primary()) as PostgresServer;
    await postgres.estrange(standby);
    const place = servers.all.findIndex(({ url }) => url === standby.url);
    await expect.poll(async () => (await servers.all[place]?.look())?.isStandby).toBe(true);
    const isAsked = async (): Promise<boolean> => (await readers.next()) === readers.all[place];
    const until = performance.now() + 2_500; // one that was not near enough rests for a second
    let asked = 0;
    while (performance.now() < until) {
      expect(await isAsked()).toBe(false);
      if ((await readers.next()) !== null) asked += 1;
      await sleep(5);
    }
    expect(asked).toBeGreaterThan(0); // the other one
    await postgres.rejoin(standby);
    await expect.poll(isAsked).toBe(true);
  });

  it('a read at a standby that falls silent is given up', async () => {
    const standbys = postgres.all.filter((server) => server !== postgres.primary());
    for (const standby of standbys) standby.freeze();
    try {
      const standby = await readers.next(); // what it said a moment ago is still believed
      expect(standby).not.toBeNull();
      await expect(notes((standby as Kysely<Database>).withTables<Tables>())).rejects.toThrow('does not answer');
      expect(await readers.next()).toBeNull();
    } finally {
      for (const standby of standbys) standby.thaw();
    }
    await expect.poll(async () => (await readers.next()) !== null).toBe(true);
  });

  it('H2 a commit whose wait for a standby was cancelled counts as not answered', async () => {
    const standbys = postgres.all.filter((server) => server !== postgres.primary());
    for (const standby of standbys) standby.freeze();
    try {
      const waiting = note(202);
      const outcome = waiting.then(
        () => 'committed',
        (error: Error) => error.name,
      );
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      await expect.poll(() => postgres.primary().ask(cancel)).not.toBeNull();
      expect(await outcome).toBe('DatabaseUnavailableError');
    } finally {
      for (const standby of standbys) standby.thaw();
    }
  });

  it('H2 the server that was left behind is not written to when it is there again, whatever it says', async () => {
    const left = postgres.primary();
    await left.kill();
    await postgres.promote();
    await expect
      .poll(() =>
        note(203).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await left.start();
    expect(await left.ask('select pg_is_in_recovery() as standby')).toEqual({ standby: false });
    for (let id = 204; id < 224; id++) {
      await servers.look();
      await note(id);
      await sleep(10);
    }
    expect(await postgres.primary().ask('select max(id) from note')).toEqual({ max: 223 });
    expect(servers.writable().url).toBe(postgres.primary().url);
    // Not even while no other takes writes.
    postgres.primary().freeze();
    await servers.look();
    expect(servers.writable().url).toBe(postgres.primary().url);
    postgres.primary().thaw();
    // Nor by a process that begins now, with the old address first.
    const later = watchServers([left.url, postgres.primary().url], log);
    await later.look();
    expect(later.writable().url).toBe(postgres.primary().url);
    await later.stop();
    await postgres.rejoin(left);
    await expect.poll(() => servers.all.filter(({ state }) => state?.isStandby).length).toBe(2);
  });

  it('H2 a standby that was ahead of the promoted one, and cannot follow it, answers no reads', async () => {
    const left = postgres.primary();
    const [behind, ahead] = postgres.all.filter((server) => server !== left) as [PostgresServer, PostgresServer];
    await behind.kill();
    for (let id = 300; id < 400; id++) await note(id);
    await left.kill();
    await behind.start();
    await postgres.promote(behind);
    await expect.poll(async () => (await servers.look(), servers.writable().url)).toBe(behind.url);
    const until = performance.now() + 1_000;
    while (performance.now() < until) {
      expect(await readers.next()).toBeNull();
      await sleep(10);
    }
    await postgres.rejoin(ahead);
    await expect.poll(async () => (await readers.next()) !== null).toBe(true);
    await postgres.rejoin(left);
  });

  it('the doctor says which takes writes, and what a commit waits for', async () => {
    const [databaseUrl, ...replicas] = postgres.all.map(({ url }) => url) as [string, ...string[]];
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../../scripts/doctor.ts', import.meta.url)), '--json'],
      {
        env: {
          PATH: process.env.PATH,
          CHAINS: 'base',
          RPC_URL_BASE: 'http://127.0.0.1:1',
          DATABASE_URL: databaseUrl,
          DATABASE_REPLICA_URLS: replicas.join(','),
        },
      },
    );
    const { checks } = JSON.parse(await text(child.stdout));
    const said = checks.find(({ name }: { name: string }) => name === 'database servers');
    const { host } = new URL(postgres.primary().url);
    expect(said).toMatchObject({
      state: 'well',
      found: `${host} takes writes, 2 others follow, a commit waits for ANY 1 (one, two, three)`,
    });
  });

  it('error: a server of another database is named, and never used', async () => {
    const other = await testDatabase();
    const standby = postgres.all.find((server) => server !== postgres.primary())?.url as string;
    const watched = watchServers([standby, other.url], log);
    await watched.look();
    expect(watched.writable().url).toBe(standby);
    const alone = watchServers(['postgres://mintage@127.0.0.1:1/mintage', other.url], log);
    await alone.look();
    expect(alone.writable().url).not.toBe(other.url);
    await alone.stop();
    expect(said).toContain('A server of the list holds another database, and is not used.');
    await watched.stop();
    await other.stop();
  });
});
