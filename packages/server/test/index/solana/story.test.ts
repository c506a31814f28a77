import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import { keptOf, recomputedOf } from '../recomputed.ts';
import { contentOf, empty } from '../tables.ts';
import { catchUp, newStore } from './catchUp.ts';
import { type Deployed, deployedChain, dollars, Ground } from './ground.ts';
import { expectTruth } from './truth.ts';

let database: RunningDatabase;
let deployed: Deployed;
beforeAll(async () => {
  database = await testDatabase();
  deployed = await deployedChain();
});
afterAll(async () => {
  await database?.stop();
  deployed?.remove();
});

describe('the index of a Solana cluster', () => {
  test('a token’s whole life: after every step the tables are what the accounts on the chain say', async () => {
    await empty(database.db);
    const ground = await Ground.start(deployed);
    const { db } = database;
    try {
      const { alice, bob, carol, dave, builder, promoter, treasury, owner } = ground.people;
      const served = ground.served();
      const store = await newStore(database, served);
      const now = async () => {
        ground.node.mine(2);
        await catchUp(store, served);
        await expectTruth(ground, db);
      };
      await now();
      const opening = [alice, bob, carol, dave, builder, promoter, treasury].map((one) => ground.openUser(owner, one));
      await ground.must(owner, ...opening.slice(0, 4));
      await ground.must(owner, ...opening.slice(4));

      // A creation and the first buy in one transaction, in the window of high fees.
      const token = ground.creation(alice, 1);
      await ground.must(alice, ...token.steps, ...ground.trade(token, alice, 'buyExactIn', dollars(20)));
      await now();
      expect(await db.selectFrom('trade').select(['fee_bps']).execute()).toEqual([{ fee_bps: 8_000 }]);
      expect(await db.selectFrom('token').select(['name', 'symbol', 'uri', 'creator', 'stage']).execute()).toEqual([
        { name: 'Paper Boat', symbol: 'BOAT', uri: 'ipfs://boat', creator: alice.address, stage: 'new' },
      ]);

      const [whole] = await db
        .selectFrom('transfer')
        .selectAll()
        .orderBy('block_number')
        .orderBy('log_index')
        .execute();
      // What is sold on the way to the vault in the same transaction, the transaction does not show.
      expect(whole).toMatchObject({ sender: '1'.repeat(32), recipient: token.places.launch, is_leg: true });
      const first = await db
        .selectFrom('transfer')
        .select('amount')
        .where('sender', '=', '1'.repeat(32) as never)
        .execute();
      expect(first.reduce((sum, { amount }) => sum + amount, 0n)).toBe(10n ** 15n);

      // Everybody who can be named, and all four kinds of order.
      ground.node.addSeconds(10);
      const deadline = BigInt(Math.floor(Date.now() / 1000) + 1_800);
      ground.node.setTime(Number(deadline) - 600);
      await ground.must(bob, ...(await ground.referring(bob, carol, deadline)));
      await now();
      expect(await db.selectFrom('referrer').select(['trader', 'referrer']).execute()).toEqual([
        { trader: bob.address, referrer: carol.address },
      ]);
      const named = { builder, builderBps: 75, referral: promoter, referrer: carol };
      await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(50), named));
      await now();
      await ground.must(dave, ...ground.trade(token, dave, 'buyExactOut', 1_000_000_000_001n, { referral: promoter }));
      await now();
      await ground.must(bob, ...ground.trade(token, bob, 'sellExactIn', 77_777_777_777n, named));
      await ground.must(dave, ...ground.trade(token, dave, 'sellExactOut', dollars(0.01), { builder, builderBps: 1 }));
      await now();

      // From wallet to wallet, beside a call of the program and without one.
      await ground.must(
        bob,
        ground.openTokens(bob, token, carol),
        ground.transfer(token, bob, carol, 5_000_000_000_000n),
        ...ground.trade(token, bob, 'buyExactIn', dollars(1), { referrer: carol }),
      );
      await now();
      await ground.must(carol, ...ground.trade(token, carol, 'sellExactIn', 5_000_000_000_000n));
      await now();

      // Withdrawals, a part and all; the treasury's share.
      await ground.must(alice, ground.withdrawal(alice, 1n));
      await ground.must(carol, ground.withdrawal(carol));
      await ground.must(dave, ground.collection(token));
      await now();
      await ground.must(treasury, ground.withdrawal(treasury));
      await now();
      const paid = await db.selectFrom('withdrawal').select(['account', 'recipient']).orderBy('block_number').execute();
      expect(paid).toEqual([alice, carol, treasury].map(({ address }) => ({ account: address, recipient: address })));

      // A referrer is cleared; the owner moves the treasury.
      await ground.must(owner, ground.clearing(bob));
      await ground.must(owner, ground.setting(0, dave));
      await now();

      // Sold out, graduated by the buy itself, and traded in the pool.
      await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(10_000)));
      await now();
      const [graduated] = await db.selectFrom('token').selectAll().execute();
      expect(graduated).toMatchObject({ stage: 'graduated', pool_id: token.places.launch, completed: true });
      await ground.must(dave, ...ground.trade(token, dave, 'buyExactIn', dollars(100), { referral: promoter }));
      await now();
      await ground.must(
        bob,
        ...ground.trade(token, bob, 'sellExactIn', 9_999_999_999_999n, { builder, builderBps: 10 }),
      );
      await now();
      const venues = await db.selectFrom('trade').select(['venue']).orderBy('block_number').execute();
      expect(venues.slice(-3).map(({ venue }) => venue)).toEqual(['curve', 'pool', 'pool']);

      // Another one, sold out in the window, so that somebody else opens the pool.
      const other = ground.creation(carol, 2);
      await ground.must(carol, ...other.steps, ...ground.trade(other, carol, 'buyExactIn', dollars(100_000)));
      await now();
      ground.node.addSeconds(7);
      await ground.must(dave, ground.graduation(other));
      await now();
      await ground.must(carol, ...ground.trade(other, carol, 'sellExactIn', 10n ** 14n));
      await now();
      expect(await db.selectFrom('token').select('stage').execute()).toEqual([
        { stage: 'graduated' },
        { stage: 'graduated' },
      ]);
      expect(await keptOf(db)).toEqual(await recomputedOf(db));

      // The same from nothing, in pages of history.
      ground.node.mine(6);
      await catchUp(store, served);
      const followed = await contentOf(db);
      await empty(db);
      const { pages } = await catchUp(await newStore(database, served), served);
      await expectTruth(ground, db);
      expect(await contentOf(db)).toEqual(followed);
      expect(pages).toBeLessThan(4);
    } finally {
      await ground.node.stop();
    }
  });
});
