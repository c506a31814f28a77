import { randomFrom } from '@mintage/devnet/random';
import { testDatabase } from '@mintage/devnet/testDatabase';
import type { Hash } from '@mintage/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningDatabase } from '../../../src/db/startDatabase.ts';
import type { ClusterSource } from '../../../src/index/solana/source.ts';
import { contentOf, empty } from '../tables.ts';
import { catchUp, newStore, sourceOf } from './catchUp.ts';
import { type Deployed, deployedChain, dollars, Ground } from './ground.ts';
import { RandomLife } from './randomLife.ts';
import { expectTruth } from './truth.ts';

let database: RunningDatabase;
let deployed: Deployed;
let ground: Ground;
beforeAll(async () => {
  database = await testDatabase();
  deployed = await deployedChain();
});
afterAll(async () => {
  await database?.stop();
  deployed?.remove();
});
beforeEach(async () => {
  await empty(database.db);
  ground = await Ground.start(deployed, { finalAfter: 12 });
});
afterEach(() => ground?.node.stop());

/** Mines blocks in which people do as they like. */
const live = async (life: RandomLife, blocks: number): Promise<void> => {
  for (let block = 0; block < blocks; block += 1) {
    await life.act();
    ground.node.mine();
  }
};

/** Leaves these transactions out of lists, as if nothing had happened. */
const without =
  (isLeftOut: (signature: Hash) => boolean) =>
  (source: ClusterSource): ClusterSource => ({
    ...source,
    list: async (...asked) => (await source.list(...asked)).filter(({ signature }) => !isLeftOut(signature)),
  });

describe('providers of a Solana cluster', () => {
  test('S109 the only provider drops one entry of ten of every list: it is asked until none is missing', async () => {
    const life = new RandomLife(ground, randomFrom(7));
    await life.open();
    await live(life, 30);
    ground.node.fault({ method: 'getSignaturesForAddress', kind: 'omit', oneOf: 10 });
    const served = ground.served();
    const store = await newStore(database, served);
    await catchUp(store, served);
    for (let round = 0; round < 12; round += 1) {
      await live(life, 3);
      await catchUp(store, served);
    }
    ground.node.mine(30);
    await catchUp(store, served);
    await expectTruth(ground, database.db);
    const followed = await contentOf(database.db);
    ground.node.clearFaults();
    await empty(database.db);
    await catchUp(await newStore(database, served), served);
    expect(followed).toEqual(await contentOf(database.db));
  });

  test('S109 each of two never lists another transaction: the other one’s word fills the gap', async () => {
    const { alice, bob } = ground.people;
    const token = await ground.create(alice, 1);
    const signatures: Hash[] = [];
    for (let count = 1; count <= 3; count += 1)
      signatures.push(await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(count))));
    ground.node.mine(3);
    const served = ground.served([ground.node.url, ground.node.url]);
    const source = sourceOf(served, (one, place) => without((signature) => signature === signatures[place])(one));
    const { unsettled } = await catchUp(await newStore(database, served), served, source);
    expect(unsettled).toBe(0);
    await expectTruth(ground, database.db);
  });

  test('S109 nobody lists a transaction: nothing after it counts, until somebody does', async () => {
    const { alice, bob } = ground.people;
    const token = await ground.create(alice, 1);
    const signatures: Hash[] = [];
    for (let count = 1; count <= 3; count += 1)
      signatures.push(await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(count))));
    ground.node.mine(3);
    const served = ground.served();
    let isHidden = true;
    const source = sourceOf(
      served,
      without((signature) => isHidden && signature === signatures[1]),
    );
    const store = await newStore(database, served);
    const went = await catchUp(store, served, source, 4);
    // What was final before the launchpad's first day is one page.
    expect(went).toEqual({ pages: 1, reorgs: 0, unsettled: 3 });
    expect(await database.db.selectFrom('trade').selectAll().execute()).toEqual([]);
    isHidden = false;
    await catchUp(store, served, source);
    await expectTruth(ground, database.db);
  });

  test('S109 the last transaction was not listed while it was new: it is found before its slot is final', async () => {
    const { alice, bob } = ground.people;
    const token = await ground.create(alice, 1);
    ground.node.mine(15);
    const served = ground.served();
    const hidden = await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(2)));
    let isHidden = true;
    // Nor does anybody say how many events there are.
    const source = sourceOf(served, (one) => ({
      ...without((signature) => isHidden && signature === hidden)(one),
      numbers: async (accounts) => ({ slot: 0, numbers: accounts.map(() => null) }),
    }));
    const store = await newStore(database, served);
    ground.node.mine(2);
    await catchUp(store, served, source);
    expect(await database.db.selectFrom('trade').selectAll().execute()).toEqual([]);
    isHidden = false;
    ground.node.mine(14);
    expect((await catchUp(store, served, source)).reorgs).toBe(1);
    await expectTruth(ground, database.db);
  });

  test('S109 a list of history leaves the last transaction out: it is asked for twice, before anything is final', async () => {
    const { alice, bob } = ground.people;
    const token = await ground.create(alice, 1);
    const hidden = await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(2)));
    ground.node.mine(20);
    const served = ground.served();
    const source = sourceOf(served, (one) => ({
      ...one,
      list: async (address, listing) =>
        (await one.list(address, listing)).filter(({ signature }) => listing.again || signature !== hidden),
    }));
    expect(await catchUp(await newStore(database, served), served, source)).toMatchObject({ reorgs: 0, unsettled: 0 });
    await expectTruth(ground, database.db);
  });

  test('S109 the last transaction stays hidden: the numbers of its accounts on the chain say so', async () => {
    const { alice, bob } = ground.people;
    const token = await ground.create(alice, 1);
    ground.node.mine(15);
    const served = ground.served();
    const store = await newStore(database, served);
    await catchUp(store, served);
    await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(2)));
    const hidden = await ground.must(bob, ...ground.trade(token, bob, 'buyExactIn', dollars(3)));
    // The Launch itself lists it, the program does not.
    const source = sourceOf(served, (one) => ({
      ...one,
      list: async (address, listing) =>
        (await one.list(address, listing)).filter(
          ({ signature }) => address !== ground.deployment.program || signature !== hidden,
        ),
    }));
    ground.node.mine(2);
    await catchUp(store, served, source);
    expect((await database.db.selectFrom('trade').selectAll().execute()).length).toBe(1);
    ground.node.mine(14);
    expect((await catchUp(store, served, source)).reorgs).toBe(1);
    await expectTruth(ground, database.db);
  });

  test('W9 one of three lies about blocks and transactions: it is outvoted', async () => {
    const life = new RandomLife(ground, randomFrom(11));
    await life.open();
    await live(life, 12);
    const served = ground.served([ground.node.url, ground.node.url, ground.node.url]);
    const lie = (source: ClusterSource): ClusterSource => ({
      ...source,
      block: async (slot, whole) => {
        const block = await source.block(slot, whole);
        return block && { ...block, timestamp: block.timestamp + 3_600 };
      },
      transactions: async (signatures) =>
        (await source.transactions(signatures)).map((one) => one && { ...one, deeds: null }),
    });
    for (const liar of [0, 1, 2]) {
      await empty(database.db);
      const source = sourceOf(served, (one, place) => (place === liar ? lie(one) : one));
      await catchUp(await newStore(database, served), served, source);
      await expectTruth(ground, database.db);
    }
  });

  test('one of three lists transactions that never were: they are in no block, and count for nothing', async () => {
    const { alice } = ground.people;
    await ground.create(alice, 1);
    ground.node.mine(3);
    const served = ground.served([ground.node.url, ground.node.url, ground.node.url]);
    const source = sourceOf(served, (one) => ({
      ...one,
      list: async (...asked) => {
        const listed = await one.list(...asked);
        const invented = listed.map((entry) => ({ ...entry, signature: 'z'.repeat(87) as never as Hash }));
        return [...listed, ...invented.slice(0, 1)];
      },
    }));
    await catchUp(await newStore(database, served), served, source);
    await expectTruth(ground, database.db);
  });

  test.each(['error', 'busy', 'cut'] as const)('a provider on a bad day (%s): another one is asked', async (kind) => {
    const { alice } = ground.people;
    const bad = await Ground.start(deployed, { finalAfter: 12 });
    try {
      await ground.create(alice, 1);
      ground.node.mine(3);
      bad.node.fault({ kind });
      const served = ground.served([bad.node.url, ground.node.url]);
      await catchUp(await newStore(database, served), served);
      await expectTruth(ground, database.db);
    } finally {
      await bad.node.stop();
    }
  });
});
