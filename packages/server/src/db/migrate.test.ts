import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { openDatabase } from './openDatabase.ts';
import { type RunningDatabase } from './startDatabase.ts';

let database: RunningDatabase;
let path: string;
let folder: URL;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'mintage-migrations-'));
  folder = pathToFileURL(`${path}/`);
  return () => rm(path, { recursive: true });
});

test('runs each file once, in order, also when several processes start at once', async () => {
  await writeFile(join(path, 'a_2.sql'), 'insert into once values (1);');
  await writeFile(join(path, 'a_1.sql'), 'create table once (n integer);');
  await writeFile(join(path, 'readme.txt'), 'not sql');
  const others = Array.from({ length: 4 }, () => openDatabase(database.url));
  await sql`drop table migration`.execute(database.db);
  const ran = await Promise.all(others.map((db) => migrate(db, { folders: [folder] })));
  await Promise.all(others.map((db) => db.destroy()));
  expect(ran.flat().toSorted()).toEqual(['a_1.sql', 'a_2.sql']);
  const { rows } = await sql`select n from once`.execute(database.db);
  expect(rows).toEqual([{ n: 1 }]);
});

test('error: a failing file leaves nothing behind and is tried again', async () => {
  const file = join(path, 'b_1.sql');
  await writeFile(file, 'create table half (n integer); select nonsense;');
  await expect(migrate(database.db, { folders: [folder] })).rejects.toThrow('nonsense');
  await writeFile(file, 'create table half (n integer);');
  expect(await migrate(database.db, { folders: [folder] })).toEqual(['b_1.sql']);
});

test('error: a file that ran is never edited', async () => {
  const file = join(path, 'c_1.sql');
  await writeFile(file, 'create table c (n integer);');
  await migrate(database.db, { folders: [folder] });
  await writeFile(file, 'create table c (n bigint);');
  await expect(migrate(database.db, { folders: [folder] })).rejects.toThrow('c_1.sql differs');
});

test('a file that waits for somebody who reads for long lets others read, and runs when that one has ended', async () => {
  await sql`create table long (n integer)`.execute(database.db);
  await writeFile(join(path, 'd_1.sql'), 'alter table long add column m integer;');
  const others = openDatabase(database.url, { statementTimeoutMs: 20_000 }); // else a defect would be waited for without end
  let ran: Promise<string[]> | undefined;
  const waits: object[] = [];
  await database.db.transaction().execute(async (reader) => {
    await sql`select from long`.execute(reader);
    ran = migrate(others, { folders: [folder], log: { warn: (fields) => waits.push(fields) } });
    const waiting = async () => {
      const { rows } = await sql`select from pg_locks where relation = 'long'::regclass and not granted`.execute(
        reader,
      );
      return rows.length;
    };
    await expect.poll(waiting).toBe(1);
    await sql`select from long`.execute(others); // behind the file that waits
    await expect.poll(() => waits[0]).toEqual({ migration: 'd_1.sql', attempt: 1 });
  });
  expect(await ran).toEqual(['d_1.sql']);
  await others.destroy();
});

test('an index is made concurrently, so that a file that makes one waits for nobody who writes', async () => {
  await sql`create table busy (n integer)`.execute(database.db);
  await sql`insert into busy values (1), (1)`.execute(database.db);
  // What a run leaves behind that was cut off.
  await expect(sql`create unique index concurrently busy_by_n on busy (n)`.execute(database.db)).rejects.toThrow();
  await writeFile(join(path, 'e_1.sql'), '-- Why.\ncreate index concurrently busy_by_n on busy (n);');
  const others = [openDatabase(database.url), openDatabase(database.url)];
  const ran = await Promise.all(others.map((db) => migrate(db, { folders: [folder] })));
  await Promise.all(others.map((db) => db.destroy()));
  expect(ran.flat()).toEqual(['e_1.sql']);
  const { rows } = await sql`select indisvalid, indisunique from pg_index
    where indexrelid = 'busy_by_n'::regclass`.execute(database.db);
  expect(rows).toEqual([{ indisvalid: true, indisunique: false }]);
});

test('the chain tables read back as the types say', async () => {
  const fresh = await testDatabase();
  try {
    expect(await migrate(fresh.db)).toEqual([]);
    const wide = 2n ** 256n - 1n;
    const { rows } = await sql`select ${wide}::numeric(78,0) as wide, 9007199254740991::bigint as big,
      array[1, null, 2]::numeric[] as list, array[3]::bigint[] as ids, 1.5::numeric as half, sum(2::numeric(78,0)) as sum,
      timestamptz '2026-01-02 03:04:05Z' as time, '{}'::bigint[] as none`.execute(fresh.db);
    expect(rows[0]).toEqual({
      wide,
      big: Number.MAX_SAFE_INTEGER,
      list: [1n, null, 2n],
      ids: [3],
      half: '1.5',
      sum: 2n,
      time: new Date('2026-01-02T03:04:05Z'),
      none: [],
    });
    await expect(sql`select 9007199254740992::bigint as big`.execute(fresh.db)).rejects.toThrow('beyond 2^53');
  } finally {
    await fresh.stop();
  }
});

test('no file is added to the folders that were there before `all`', async () => {
  const names = await Promise.all(
    ['chain', 'service', 'signer'].map((folder) => readdir(new URL(`./migrations/${folder}/`, import.meta.url))),
  );
  expect(names.flat().length).toBe(21);
});
