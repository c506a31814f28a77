import { randomBytes, randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDatabase } from '../db/startDatabase.ts';
import {
  KekMissingError,
  kekCounts,
  keyRing,
  memoryKek,
  open,
  refuseForeignSeals,
  rewrapColumn,
  type Sealed,
  type SealedColumn,
  seal,
} from './keys.ts';

type Kek = ReturnType<typeof memoryKek>;

const column: SealedColumn = {
  table: 'safe',
  column: 'sealed',
  key: ['owner', 'name'],
  contextOf: (owner, name) => ({ purpose: 'test', owner: owner as string, name: name as string }),
};

describe('sealed columns', () => {
  let database: RunningDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await sql`create table safe (owner uuid, name text, sealed jsonb, primary key (owner, name))`.execute(database.db);
  });
  afterAll(() => database.stop());
  beforeEach(() => sql`delete from safe`.execute(database.db));

  const [old, next, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)].map(memoryKek) as [Kek, Kek, Kek];
  const put = async (kek: Kek, count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, place) => `name ${place}`);
    const owner = randomUUID();
    for (const name of names) {
      const sealed = await seal(kek, Buffer.from(`${owner} ${name}`), column.contextOf(owner, name));
      await sql`insert into safe values (${owner}, ${name}, ${JSON.stringify(sealed)})`.execute(database.db);
    }
    await sql`insert into safe values (${randomUUID()}, 'empty', null)`.execute(database.db);
    return names;
  };
  const all = async () =>
    (await sql<{ owner: string; name: string; sealed: Sealed | null }>`select * from safe`.execute(database.db)).rows;

  it('default: every row of a KEK at hand is wrapped by the first, and opens to what it was', async () => {
    await put(old, 210);
    await put(next, 3);
    await put(lost, 2);
    const ring = keyRing([next, old]);
    expect(await rewrapColumn(database.db, ring, column)).toEqual({ moved: 210, broken: [] });
    expect(await kekCounts(database.db, column)).toEqual(
      new Map([
        [next.id, 213],
        [lost.id, 2],
      ]),
    );
    for (const { owner, name, sealed } of await all()) {
      if (sealed?.kek !== next.id) continue;
      const text = Buffer.from(await open(next, sealed, column.contextOf(owner, name))).toString();
      expect(text).toBe(`${owner} ${name}`);
    }
    expect(await rewrapColumn(database.db, ring, column)).toEqual({ moved: 0, broken: [] });
  });

  it('behavior: several at once move each row once', async () => {
    await put(old, 60);
    const ring = keyRing([next, old]);
    const runs = await Promise.all(Array.from({ length: 4 }, () => rewrapColumn(database.db, ring, column)));
    expect(runs.reduce((sum, { moved }) => sum + moved, 0)).toBe(60);
  });

  it('behavior: a row that does not open is named, and the others are done', async () => {
    await put(old, 5);
    await sql`update safe set name = 'renamed' where name = 'name 2'`.execute(database.db);
    const { moved, broken } = await rewrapColumn(database.db, keyRing([next, old]), column);
    expect([moved, broken.length, broken[0]?.endsWith(' renamed')]).toEqual([4, 1, true]);
  });

  it('error: a secret of a KEK that is not at hand is told before it is needed', async () => {
    await put(old, 1);
    await refuseForeignSeals(database.db, keyRing([next, old]), [column]);
    await expect(refuseForeignSeals(database.db, next, [column])).rejects.toThrow(KekMissingError);
    await expect(refuseForeignSeals(database.db, next, [column])).rejects.toThrow(old.id);
  });
});
