import { testDatabase } from '@mintage/devnet/testDatabase';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inPipeline } from './pipeline.ts';
import type { RunningDatabase } from './startDatabase.ts';

let database: RunningDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());

const copy = (...keys: number[]) =>
  CompiledQuery.raw('copy pair (key) from stdin', [[keys.map((key) => `${key}\n`).join('')]]);
const insert = (key: number) => sql`insert into pair (key) values (${key})`;
const keys = async () => (await sql<{ key: number }>`select key from pair order by key`.execute(database.db)).rows;

describe('inPipeline', () => {
  beforeEach(async () => {
    await sql`drop table if exists pair`.execute(database.db);
    await sql`create table pair (key int primary key)`.execute(database.db);
  });

  test('statements take effect in their order, and an answer says what those before it did', async () => {
    const seen = await inPipeline(database.db, async ({ tx, sent }) => {
      await insert(1).execute(sent);
      await sent.executeQuery(copy(2, 3));
      await sql`delete from pair where key = 2`.execute(sent);
      return (await sql<{ key: number }>`select key from pair order by key`.execute(tx)).rows;
    });
    expect(seen).toEqual([{ key: 1 }, { key: 3 }]);
    expect(await keys()).toEqual(seen);
  });

  test('error: of statements that were only sent, the first that failed is told, and nothing stays', async () => {
    const failing = [
      [insert(1), 'duplicate key'],
      [sql`select 1 / 0`, 'division by zero'],
    ] as const;
    for (const [first, reason] of failing) {
      const work = inPipeline(database.db, async ({ sent }) => {
        await insert(1).execute(sent);
        await first.execute(sent);
        await insert(2).execute(sent);
      });
      await expect(work).rejects.toThrow(reason);
      expect(await keys()).toEqual([]);
    }
  });

  test('error: a COPY that fails, with rows on their way, costs only its transaction', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => i);
    const work = inPipeline(database.db, async ({ tx, sent }) => {
      await sent.executeQuery(copy(7, 7, ...rows));
      await sent.executeQuery(copy(8));
      await insert(9).execute(tx);
    });
    await expect(work).rejects.toThrow('duplicate key');
    await inPipeline(database.db, ({ sent }) => sent.executeQuery(copy(...rows)));
    expect((await keys()).length).toBe(rows.length);
  });

  test('error: what the work throws undoes it, and a statement after the end goes nowhere', async () => {
    let late: (() => Promise<unknown>) | undefined;
    const work = inPipeline(database.db, async ({ tx, sent }) => {
      late = () => insert(2).execute(tx);
      await insert(1).execute(sent);
      throw new Error('a change of mind');
    });
    await expect(work).rejects.toThrow('a change of mind');
    await expect(late?.()).rejects.toThrow('the transaction is over');
    expect(await keys()).toEqual([]);
  });
});
