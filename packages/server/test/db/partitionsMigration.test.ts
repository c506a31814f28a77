import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseBefore } from './databaseBefore.ts';

const name = '0010_partitions.sql';

test('all/0010_partitions: rows of before are in the part of their month, in UTC to the second', async () => {
  const { db, migrateOne, stop } = await databaseBefore(name);
  try {
    await sql`set time zone 'America/New_York'`.execute(db);
    for (const [block, time] of [
      [1, '2025-12-31T23:59:59Z'],
      [2, '2026-01-01T00:00:00Z'],
      [3, '2026-01-31T23:59:59Z'],
    ] as const) {
      await sql`insert into transfer (eid, token, block_number, log_index, block_hash, tx_hash, time, sender, recipient, amount,
        is_leg, holders) values (1, '0x1', ${block}, 0, '', '', ${time}, '', '', 5, false, 1)`.execute(db);
      await sql`insert into fee_credit values (1, '0x1', ${block}, 0, 0, '', '', ${time}, '0x2', 7, 0, 0, null)`.execute(
        db,
      );
    }
    expect(await migrateOne()).toEqual([name]);
    for (const table of ['transfer', 'fee_credit']) {
      const { rows } = await sql`select tableoid::regclass::text as part, block_number
        from ${sql.table(table)} order by block_number`.execute(db);
      expect(rows).toEqual([
        { part: `${table}_2025_12`, block_number: 1 },
        { part: `${table}_2026_01`, block_number: 2 },
        { part: `${table}_2026_01`, block_number: 3 },
      ]);
    }
  } finally {
    await stop();
  }
});
