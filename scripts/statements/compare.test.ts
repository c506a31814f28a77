import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { emptyDatabase } from '@mintage/devnet/testDatabase';
import type { RunningDatabase } from '@mintage/server/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareStatements, notedStatements } from './compare.ts';

describe('compareStatements', () => {
  let one: RunningDatabase;
  let other: RunningDatabase;
  const compare = (...statements: string[]) => compareStatements(one.url, other.url, statements);
  beforeAll(async () => {
    [one, other] = [await emptyDatabase(), await emptyDatabase()];
    await sql`create function newer(int) returns int language sql as 'select $1'`.execute(one.db);
    for (const { db } of [one, other]) await sql`create table thing (id bigint, name text)`.execute(db);
  });
  afterAll(async () => {
    for (const database of [one, other]) await database.stop();
  });

  it('default: what both read alike is no difference', async () => {
    const statements = ['select * from thing where id = $1', 'insert into thing values ($1, $2)', 'select 1;'];
    expect(await compare(...statements)).toEqual({ prepared: 3, differences: [] });
  });

  it('error: a function that one lacks is told with what each says', async () => {
    const statement = 'select newer($1)';
    expect(await compare('select 1', statement)).toEqual({
      prepared: 1,
      differences: [{ statement, one: '{integer}', other: 'function newer(unknown) does not exist' }],
    });
  });

  it('error: parameters of other types are told', async () => {
    await sql`create function length_of(text) returns int language sql as 'select length($1)'`.execute(one.db);
    await sql`create function length_of(varchar) returns int language sql as 'select length($1)'`.execute(other.db);
    const { differences } = await compare('select length_of($1)');
    expect(differences).toMatchObject([{ one: '{text}', other: '{"character varying"}' }]);
  });

  it('edge: what neither can prepare is passed over, and nothing is run', async () => {
    const statements = ['begin', 'listen x', 'select * from nothing', 'select 1; drop table thing', 'drop table thing'];
    expect(await compare(...statements)).toEqual({ prepared: 0, differences: [] });
    expect(await compare('select name from thing')).toEqual({ prepared: 1, differences: [] });
  });
});

describe('note', () => {
  it('default: each statement of a process is noted once, whatever form it has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintage-statements-'));
    const database = await emptyDatabase();
    const script = `
      await import(${JSON.stringify(new URL('./note.ts', import.meta.url).href)});
      const { openDatabase } = await import('@mintage/server/db');
      const { sql } = await import('kysely');
      const db = openDatabase(${JSON.stringify(database.url)}, { maxConnections: 1 });
      for (const round of [1, 2]) {
        await sql\`select 1\`.execute(db);
        await sql\`select \${round}::int\`.execute(db);
      }
      await db.destroy();`;
    try {
      await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...process.env, TEST_STATEMENTS: folder },
      });
      expect(notedStatements(folder)).toEqual(['select 1', 'select $1::int']);
    } finally {
      await database.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
