import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { keyRing, memoryKek, open, rewrapColumn, type Sealed, seal } from '../../src/keys/keys.ts';
import { walletKeys } from '../../src/sign/wallets/walletSeal.ts';
import { databaseBefore } from './databaseBefore.ts';

const name = '0002_wallet_families.sql';

test('all/0002_wallet_families: wallets of before are of the EVM and open, a user may have another, attempts may lack nonces', async () => {
  const { db, migrateOne, stop } = await databaseBefore(name);
  try {
    const [user, waiting, paused, intent] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [kek, secret, address] = [memoryKek(randomBytes(32)), randomBytes(32), `0x${'ab'.repeat(20)}`];
    const sealed = JSON.stringify(await seal(kek, secret, walletKeys.contextOf(user, address)));
    await sql`insert into embedded_wallet (user_id, address, sealed_key, paused_at)
      values (${user}, ${address}, ${sealed}, null), (${waiting}, null, null, null), (${paused}, null, null, '2030-01-01Z')`.execute(
      db,
    );
    await sql`insert into intent (eid, intent_id, user_id, wallet, expires_at)
      values (40245, ${intent}, ${user}, ${address}, now())`.execute(db);
    await sql`insert into intent_step (eid, intent_id, step, wallet, to_address, value, data, gas_limit, description)
      values (40245, ${intent}, 0, ${address}, '0x2', 0, '0x', 21000, '')`.execute(db);
    await sql`insert into attempt (eid, hash, intent_id, step, nonce, raw, max_fee_per_gas, max_priority_fee_per_gas, signed_block)
      values (40245, '0x3', ${intent}, 0, 7, '0x', 2, 1, 1)`.execute(db);

    expect(await migrateOne()).toEqual([name]);

    const wallets = await sql`select user_id, chain_type, address, paused_at from embedded_wallet
      order by address, paused_at`.execute(db);
    expect(wallets.rows).toEqual([
      { user_id: user, chain_type: 'evm', address, paused_at: null },
      { user_id: paused, chain_type: 'evm', address: null, paused_at: new Date('2030-01-01Z') },
      { user_id: waiting, chain_type: 'evm', address: null, paused_at: null },
    ]);
    const next = memoryKek(randomBytes(32));
    expect(await rewrapColumn(db, keyRing([next, kek]), walletKeys)).toEqual({ moved: 1, broken: [] });
    const { rows } = await sql<{ sealed_key: Sealed }>`select sealed_key from embedded_wallet
      where user_id = ${user}`.execute(db);
    const opened = await open(next, rows[0]?.sealed_key as Sealed, walletKeys.contextOf(user, address));
    expect(Buffer.from(opened).equals(secret)).toBe(true);

    await sql`insert into embedded_wallet (user_id, chain_type) values (${user}, 'solana')`.execute(db);
    await expect(
      sql`insert into embedded_wallet (user_id, chain_type) values (${user}, 'solana')`.execute(db),
    ).rejects.toThrow('embedded_wallet_pkey');
    await expect(sql`insert into embedded_wallet (user_id) values (${randomUUID()})`.execute(db)).rejects.toThrow(
      'chain_type',
    );
    await sql`insert into attempt (eid, hash, intent_id, step, raw, signed_block, valid_until_block)
      values (40245, '0x4', ${intent}, 0, '0x', 1, 151)`.execute(db);
    const attempts = await sql`select nonce, max_fee_per_gas, valid_until_block from attempt order by hash`.execute(db);
    expect(attempts.rows).toEqual([
      { nonce: 7, max_fee_per_gas: 2n, valid_until_block: null },
      { nonce: null, max_fee_per_gas: null, valid_until_block: 151 },
    ]);
  } finally {
    await stop();
  }
});
