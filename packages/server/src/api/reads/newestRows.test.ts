import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { monthOf } from '../../db/months.ts';
import type { Db } from '../../db/serviceTables.ts';
import { newestCredits } from './credits.ts';
import { newestRows, type Part } from './newestRows.ts';

const fox = tokenRow('base-sepolia', hex(0xf0));
const earner = hex(0xa1);
const days = 86_400_000;
/** The last month has ended and this one has begun. */
const lastMonth = monthOf(new Date(), -1);

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  for (const month of [lastMonth, monthOf(new Date())]) await sql`select make_month(${month})`.execute(reads.db);
  // One wallet of very many credits among many of one, as no estimate of the database expects it.
  const credit = (count: number, since: Date, recipient: RawBuilder<unknown>) => sql`
    insert into fee_credit (eid, recipient, block_number, log_index, part, block_hash, tx_hash, time, currency, amount,
      distribution_type, activity_id, token)
    select ${fox.eid}, ${recipient}, i, 0, 0, '', '', ${since}::timestamptz + i * interval '1 second', '', 1, 0, 0, null
    from generate_series(1, ${count}::int) i`;
  await credit(20_000, lastMonth, sql`${earner}::text`).execute(reads.db);
  await credit(20_000, lastMonth, sql`'0x' || i`).execute(reads.db);
  await credit(1, monthOf(new Date()), sql`${earner}::text`).execute(reads.db);
  await sql`insert into fee_sum (eid, recipient, distribution_type, credits, earned)
    values (${fox.eid}, ${earner}, 0, 20001, 20001)`.execute(reads.db);
  await sql`analyze fee_credit`.execute(reads.db);
});
afterAll(() => reads?.stop());

test('a page of a long history reads about as many rows as it has, also where the newest month is small', async () => {
  await reads.db.transaction().execute(async (tx) => {
    const page = await newestCredits(
      tx as unknown as Db,
      { eids: [fox.eid], wallets: [earner], kind: undefined },
      50,
      0,
    );
    expect(page.map(({ block_number }) => block_number)).toEqual([
      1,
      ...Array.from({ length: 49 }, (_, i) => 20_000 - i),
    ]);
    const { rows } = await sql<{
      read: number;
    }>`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
      from pg_stat_xact_user_tables where relname like 'fee_credit_%'`.execute(tx);
    expect(rows[0]?.read).toBeLessThan(500);
  });
});

const spans = async (from: Date | null, until: Date | null): Promise<Part[]> => {
  const seen: Part[][] = [];
  await newestRows({ from, until }, 10, async (parts) => {
    seen.push([...parts]);
    return [];
  });
  return seen.at(-1) as Part[];
};

test.each([
  ['from nobody knows when until now', null, null],
  ['from three months ago', new Date(Date.now() - 90 * days), null],
  ['from a moment ago', new Date(), null],
  ['from tomorrow, by a chain whose clock is ahead', new Date(Date.now() + days), null],
  ['from years ago until months ago', new Date('2020-05-05T00:00:00Z'), new Date(Date.now() - 100 * days)],
  ['of one moment', new Date('2026-01-31T23:59:59Z'), new Date('2026-01-31T23:59:59Z')],
])('the parts of a history are its whole, each time once: %s', async (_, from, until) => {
  const parts = (await spans(from, until)).toReversed();
  expect((parts[0] as Part)[0].getTime()).toBeLessThanOrEqual((from ?? new Date(0)).getTime());
  for (const [i, [, before]] of parts.slice(0, -1).entries()) expect(before).toEqual(parts[i + 1]?.[0]);
  const end = (parts.at(-1) as Part)[1];
  if (until === null) expect(end).toBeNull();
  else expect(end?.getTime()).toBeGreaterThan(until.getTime());
});
