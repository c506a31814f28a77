import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@mintage/devnet/until';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './chainTables.ts';
import { DatabaseUnavailableError } from './databaseUnavailable.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres.ts';
import { openDatabase } from './openDatabase.ts';
import { Silence } from './silence.ts';

/** A server of our own, which can be frozen. */
let server: EmbeddedPostgres;
let home: string;
let db: Kysely<Database>;
const frozen = new Set<number>();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mintage-silence-'));
  chmodSync(home, 0o711);
  server = await startEmbeddedPostgres({ home, temporary: true });
  db = openDatabase(server.url, { silentAfterMs: 300, maxConnections: 4 });
  await sql`create table place (n int)`.execute(db);
});
afterAll(async () => {
  thaw();
  await db?.destroy();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Every process of the server, the one that takes connections too. */
const freeze = async (): Promise<void> => {
  const { rows } = await sql<{ pid: number; main: string }>`
    select pid, current_setting('data_directory') as main from pg_stat_activity where backend_type = 'client backend'`.execute(
    db,
  );
  const main = Number.parseInt(readFileSync(join(rows[0]?.main ?? '', 'postmaster.pid'), 'utf8'), 10);
  for (const pid of [main, ...rows.map((row) => row.pid)]) {
    process.kill(pid, 'SIGSTOP');
    frozen.add(pid);
  }
};
const thaw = (): void => {
  for (const pid of frozen) process.kill(pid, 'SIGCONT');
  frozen.clear();
};
const read = () => sql<{ n: number }>`select count(*)::int as n from place`.execute(db);
const settled = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('a frozen database', () => {
  test('R7 behavior: reads fail, more of them than there are connections, and work again once it answers', async () => {
    await Promise.all(Array.from({ length: 4 }, read));
    await freeze();
    const answers = await Promise.all(Array.from({ length: 12 }, () => settled(read())));
    for (const answer of answers) {
      expect(answer).toBeInstanceOf(DatabaseUnavailableError);
      expect(answer).toMatchObject({ reason: 'away' });
    }
    expect(await settled(read())).toBeInstanceOf(DatabaseUnavailableError);
    thaw();
    await until(async () => (await settled(read())) === 'done');
  });

  test('R7 behavior: a write waits until it is done', async () => {
    await sql`delete from place`.execute(db);
    const other = openDatabase(server.url, { silentAfterMs: 300, maxConnections: 2 });
    try {
      await sql`select`.execute(other);
      await freeze();
      const written = settled(sql`insert into place values (1)`.execute(other));
      // Its own connection is silent too.
      expect(await settled(read())).toBeInstanceOf(DatabaseUnavailableError);
      thaw();
      expect(await written).toBe('done');
      await until(async () => (await settled(read())) === 'done');
      expect((await read()).rows).toEqual([{ n: 1 }]);
    } finally {
      await other.destroy();
    }
  });

  test('R7 behavior: a slow statement is not given up while another connection is answered', async () => {
    const slow = settled(sql`select pg_sleep(1)`.execute(db));
    const isOver = () => Promise.race([slow, read().then(() => null)]);
    while ((await isOver()) === null);
    expect(await slow).toBe('done');
  });

  test('R7 behavior: reads that all wait, as for one lock, are given up only once a new connection is not answered', async () => {
    let asked = 0;
    let answers = true;
    const silence = new Silence({
      afterMs: 10,
      isOver: () => false,
      probe: async () => {
        asked += 1;
        if (!answers) throw new Error('no answer');
      },
    });
    let isCut = false;
    const over = silence.wait(() => {
      isCut = true;
    });
    await until(() => asked > 2);
    expect(isCut).toBe(false);
    answers = false;
    await until(() => isCut);
    expect(silence.isSilent).toBe(true);
    answers = true;
    await until(() => !silence.isSilent);
    over();
  });
});
