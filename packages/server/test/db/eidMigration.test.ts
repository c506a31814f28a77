import { randomUUID } from 'node:crypto';
import { chains } from '@mintage/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseBefore } from './databaseBefore.ts';

const name = '0001_eid.sql';

test('all/0001_eid: rows that were keyed by EIP-155 ids are keyed by endpoint ids, images for an undo and budgets too', async () => {
  const { db, migrateOne, stop } = await databaseBefore(name);
  try {
    const intent = randomUUID();
    for (const { chainId, slug } of chains) {
      if (chainId === null) continue;
      await sql`insert into chain (chain_id, slug, usd, usd_decimals, launchpad) values (${chainId}, ${slug}, '0x', 6, '0x')`.execute(
        db,
      );
    }
    await sql`insert into journal (chain_id, block_number, seq, table_name, key, before)
      values (8453, 1, 0, 'trader', '{"chain_id": 8453, "wallet": "0x1"}', '{"chain_id": 8453, "wallet": "0x1", "trades": 2}'),
        (8453, 1, 1, 'trader', '{"chain_id": 8453, "wallet": "0x2"}', null)`.execute(db);
    await sql`insert into intent (chain_id, intent_id, user_id, wallet, expires_at)
      values (84532, ${intent}, ${randomUUID()}, '0x1', now())`.execute(db);
    await sql`insert into intent_step (chain_id, intent_id, step, wallet, to_address, value, data, gas_limit, description)
      values (84532, ${intent}, 0, '0x1', '0x2', 0, '0x', 21000, '')`.execute(db);
    await sql`insert into attempt (chain_id, hash, intent_id, step, nonce, raw, max_fee_per_gas, max_priority_fee_per_gas, signed_block)
      values (84532, '0x3', ${intent}, 0, 0, '0x', 1, 1, 1)`.execute(db);
    await sql`insert into budget (credential, user_id, chain_ids) values ('one', ${randomUUID()}, '{8453,56}'), ('all', ${randomUUID()}, null),
      ('none', ${randomUUID()}, '{}')`.execute(db);

    expect(await migrateOne()).toEqual([name]);

    const bySlug = await sql`select eid, slug from chain order by eid`.execute(db);
    const expected = chains.filter(({ chainId }) => chainId !== null).map(({ eid, slug }) => ({ eid, slug }));
    expect(bySlug.rows).toEqual(expected.toSorted((one, other) => one.eid - other.eid));
    expect((await sql`select eid, key, before from journal order by seq`.execute(db)).rows).toEqual([
      { eid: 30184, key: { eid: 30184, wallet: '0x1' }, before: { eid: 30184, wallet: '0x1', trades: 2 } },
      { eid: 30184, key: { eid: 30184, wallet: '0x2' }, before: null },
    ]);
    const linked = await sql`select attempt.eid from intent join intent_step using (eid, intent_id)
      join attempt using (eid, intent_id, step)`.execute(db);
    expect(linked.rows).toEqual([{ eid: 40245 }]);
    await expect(sql`delete from intent`.execute(db)).rejects.toThrow('foreign key');
    expect((await sql`select credential, eids from budget order by credential`.execute(db)).rows).toEqual([
      { credential: 'all', eids: null },
      { credential: 'none', eids: [] },
      { credential: 'one', eids: [30184, 30102] },
    ]);
  } finally {
    await stop();
  }
});
