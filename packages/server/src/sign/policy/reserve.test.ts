import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { openDatabase } from '../../db/openDatabase.ts';
import { type SignerDatabase } from '../../db/signerTables.ts';
import { type RunningDatabase } from '../../db/startDatabase.ts';
import { release, reserve } from './reserve.ts';

const day = '2030-01-01';
const cent = 10n ** 16n;

describe('reserve', () => {
  let database: RunningDatabase;
  let db: Kysely<SignerDatabase>;
  beforeAll(async () => {
    database = await testDatabase();
    db = openDatabase<SignerDatabase>(database.url, { maxConnections: 8 });
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.stop();
  });

  const take = (credential: string, usd18: bigint, perDay: bigint | null, on = day) =>
    db.transaction().execute((tx) => reserve(tx, { credential, day: on, usd18 }, perDay));
  const reserved = async (credential: string, on = day): Promise<bigint> => {
    const row = await db
      .selectFrom('budget_day')
      .select('reserved_usd18')
      .where('credential', '=', credential)
      .where('day', '=', on)
      .executeTakeFirst();
    return row?.reserved_usd18 ?? 0n;
  };

  it('default: up to the cap exactly, then nothing', async () => {
    expect(await take('default', 60n * cent, 100n * cent)).toBe(true);
    expect(await take('default', 41n * cent, 100n * cent)).toBe(false);
    expect(await take('default', 40n * cent, 100n * cent)).toBe(true);
    expect(await take('default', 1n, 100n * cent)).toBe(false);
    expect(await reserved('default')).toBe(100n * cent);
  });

  it('error: the first of a day above the cap', async () => {
    expect(await take('first', 101n * cent, 100n * cent)).toBe(false);
    expect(await reserved('first')).toBe(0n);
  });

  it('behavior: each day has its own room, and without a cap it is counted all the same', async () => {
    expect(await take('days', 100n, 100n)).toBe(true);
    expect(await take('days', 100n, 100n, '2030-01-02')).toBe(true);
    expect(await take('free', 10n ** 60n, null)).toBe(true);
    expect(await take('free', 10n ** 60n, null)).toBe(true);
    expect(await reserved('free')).toBe(2n * 10n ** 60n);
  });

  it('W4 1,000 at once over 8 connections: never a cent above the cap, nor a cent of it left unused', async () => {
    const perDay = 123_45n * cent;
    const amounts = Array.from({ length: 1_000 }, (_, at) => BigInt(1 + ((at * 7919) % 100)) * cent);
    const taken = await Promise.all(amounts.map((amount) => take('parallel', amount, perDay)));
    const sum = amounts.reduce((total, amount, at) => (taken[at] ? total + amount : total), 0n);
    expect(await reserved('parallel')).toBe(sum);
    expect(sum).toBeLessThanOrEqual(perDay);
    // A refused amount no longer fitted.
    const smallest = amounts.filter((_, at) => !taken[at]).reduce((a, b) => (a < b ? a : b));
    expect(perDay - sum).toBeLessThan(smallest);
  });

  it('behavior: what is rolled back is not reserved', async () => {
    const failing = db.transaction().execute(async (tx) => {
      expect(await reserve(tx, { credential: 'rolled', day, usd18: 100n }, 100n)).toBe(true);
      throw new Error('the signing failed');
    });
    await expect(failing).rejects.toThrow('the signing failed');
    expect(await take('rolled', 100n, 100n)).toBe(true);
  });

  describe('release', () => {
    const intent = async (credential: string | null, usd18: bigint): Promise<string> => {
      const id = randomUUID();
      await db
        .insertInto('intent')
        .values({
          eid: eids.ethereum,
          intent_id: id,
          user_id: randomUUID(),
          wallet: `0x${'1'.repeat(40)}`,
          credential,
          usd18,
          budget_day: day,
          expires_at: new Date(),
        })
        .execute();
      return id;
    };
    const giveBack = (id: string) => db.transaction().execute((tx) => release(tx, eids.ethereum, id));

    it('W4 gives back once, also when several do it at once', async () => {
      await take('back', 100n, 100n);
      await take('other', 100n, 100n);
      const id = await intent('back', 40n);
      await Promise.all(Array.from({ length: 8 }, () => giveBack(id)));
      expect(await reserved('back')).toBe(60n);
      expect(await reserved('other')).toBe(100n);
      expect(await take('back', 41n, 100n)).toBe(false);
      expect(await take('back', 40n, 100n)).toBe(true);
    });

    it('behavior: an intent without a budget, or none at all', async () => {
      await giveBack(await intent(null, 0n));
      await giveBack(randomUUID());
      expect(await reserved('other')).toBe(100n);
    });
  });
});
