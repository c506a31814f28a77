import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { follow } from '../../src/index/evm/follow.ts';
import type { EvmHeader } from '../../src/index/evm/header.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { takeLease } from '../../src/index/store/lease.ts';
import { Store } from '../../src/index/store/store.ts';
import { FinalityError } from '../../src/index/sync/FinalityError.ts';
import { Random } from './random.ts';
import { keptOf, recomputedOf } from './recomputed.ts';
import { SyntheticChain, syntheticDeployment } from './syntheticChain.ts';
import { contentOf, empty } from './tables.ts';

const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
const seeds = Number(process.env.REORG_SEEDS ?? 12);
const firstSeed = Number(process.env.REORG_FIRST_SEED ?? 1);

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());

const newStore = async (options = {}): Promise<Store> => {
  await registerChain(database.db, chain, syntheticDeployment);
  await takeLease(database.db, chain.eid, 'test');
  return new Store(database.db, chain, 'test', options);
};

/** Applies changes until the tables are at the head, at most `most` of them. Returns how many blocks were undone. */
const catchUp = async (store: Store, source: SyntheticChain, finalityBlocks: number, most = Infinity) => {
  const position = await store.position();
  let undone = 0;
  for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks })) {
    if (change.type === 'idle') break;
    if (change.type === 'block') await store.apply(position, change);
    if (change.type === 'finalize') await store.finalize(position, change);
    if (change.type === 'reorg') {
      undone += position.number - change.ancestor.number;
      Object.assign(position, await store.undo(position, change));
    }
    most -= 1;
    if (most <= 0) break;
  }
  await store.write(position);
  return undone;
};

describe('follow and Store', () => {
  test.each(Array.from({ length: seeds }, (_, i) => firstSeed + i))(
    'I1 I6 reorgs of depth 1 to 8, seed %i: the tables equal a rebuild from scratch',
    async (seed) => {
      await empty(database.db);
      const choice = new Random(seed * 7919);
      const source = new SyntheticChain(seed);
      let store = await newStore();
      let undone = 0;
      let highest = 0;
      for (let round = 0; round < 10; round += 1) {
        source.mine(choice.whole(0, 6));
        // Sometimes the reorg comes while the indexer is behind, sometimes the process starts anew.
        undone += await catchUp(store, source, 10, choice.chance(0.3) ? 1 : Infinity);
        if (choice.chance(0.3)) store = await newStore();
        highest = Math.max(highest, source.height);
        // Never below a block that was final when its branch was the longest.
        const depth = Math.min(choice.whole(1, 8), source.height - (highest - 10));
        source.reorg(depth, choice.whole(Math.max(0, depth - 2), depth + 3));
        undone += await catchUp(store, source, 10);
        if (choice.chance(0.3))
          expect(await keptOf(database.db), `seed ${seed} round ${round}`).toEqual(await recomputedOf(database.db));
      }
      source.mine(10); // beyond every block of the other branches
      undone += await catchUp(store, source, 10);
      const followed = await contentOf(database.db);
      expect(await keptOf(database.db), `seed ${seed}`).toEqual(await recomputedOf(database.db));

      await empty(database.db);
      await catchUp(await newStore(), source, choice.pick([0, 3, 10, 1000]));
      expect(followed, `seed ${seed}`).toEqual(await contentOf(database.db));
      expect(undone).toBeGreaterThan(0);
      expect((followed.trade as string[]).length).toBeGreaterThan(0);
      expect((followed.withdrawal as string[]).length).toBeGreaterThan(0);
    },
  );

  test('I6 the same page twice: the second is refused, and nothing doubles', async () => {
    await empty(database.db);
    const source = new SyntheticChain(4711);
    source.mine(30);
    const store = await newStore();
    const position = await store.position();
    const again = structuredClone(position);
    const { value: page } = await follow(source, position, {
      contracts: syntheticDeployment,
      finalityBlocks: 10,
    }).next();
    if (page?.type !== 'block') throw new Error('expected a page');
    await store.apply(position, page);
    await store.write(position);
    const once = await contentOf(database.db);
    const other = new Store(database.db, chain, 'test');
    await other.apply(again, page);
    await expect(other.write(again)).rejects.toThrow('position moved');
    expect(await contentOf(database.db)).toEqual(once);
  });

  test('behavior: the position in memory is what the database holds, after every page and every reorg', async () => {
    await empty(database.db);
    const source = new SyntheticChain(31);
    const store = await newStore();
    const position = await store.position();
    let reorgs = 0;
    for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks: 10 })) {
      if (change.type === 'idle' && source.height > 120) break;
      if (change.type === 'idle' && source.height % 2 === 0) source.reorg(4, 7);
      else if (change.type === 'idle') source.mine(7);
      if (change.type === 'block') await store.apply(position, change);
      if (change.type === 'finalize') await store.finalize(position, change);
      if (change.type === 'reorg') {
        reorgs += 1;
        Object.assign(position, await store.undo(position, change));
      }
      await store.write(position);
      expect(position, `block ${position.number}`).toEqual(await store.position());
    }
    expect(reorgs).toBeGreaterThan(0);
    expect(position.tokens.size).toBeGreaterThan(0);
    expect(position.pools.size).toBeGreaterThan(0);
  });

  test('I2 forged logs leave no row: no holder, credit or withdrawal of their size', async () => {
    await empty(database.db);
    const source = new SyntheticChain(99);
    source.mine(150);
    await catchUp(await newStore(), source, 10);
    const { db } = database;
    const forged = 10n ** 30n;
    expect(await db.selectFrom('transfer').selectAll().where('amount', '>=', forged).execute()).toEqual([]);
    expect(await db.selectFrom('fee_credit').selectAll().where('amount', '>=', forged).execute()).toEqual([]);
    expect(await db.selectFrom('withdrawal').selectAll().where('amount', '>=', forged).execute()).toEqual([]);
    expect(await db.selectFrom('token').selectAll().where('protocol_fee', '=', 999).execute()).toEqual([]);
  });

  test('a page that fails leaves nothing: the next start goes on from the last committed block', async () => {
    await empty(database.db);
    const source = new SyntheticChain(5);
    source.mine(40);
    const store = await newStore();
    await catchUp(store, source, 30, 1);
    const before = await contentOf(database.db);
    const position = await store.position();
    const { value: page } = await follow(source, position, {
      contracts: syntheticDeployment,
      finalityBlocks: 30,
    }).next();
    if (page?.type !== 'block') throw new Error('expected a page');
    const broken = { ...page, headers: [{ ...page.to, hash: null as never }] }; // the last write of the transaction fails
    const fails = async (): Promise<void> => {
      await store.apply(position, broken);
      await store.write(position);
    };
    await expect(fails()).rejects.toThrow('null value');
    expect(await contentOf(database.db)).toEqual(before);

    await catchUp(store, source, 30);
    const resumed = await contentOf(database.db);
    await empty(database.db);
    await catchUp(await newStore(), source, 30);
    expect(resumed).toEqual(await contentOf(database.db));
  });

  test('a page that fails is right when the same store tries it again: what was in memory is dropped with it', async () => {
    await empty(database.db);
    const source = new SyntheticChain(5);
    source.mine(60);
    const store = await newStore();
    const position = await store.position();
    let tried = 0;
    for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks: 3 })) {
      if (change.type === 'idle') break;
      if (change.type !== 'block') continue;
      const broken = { ...change, headers: [{ ...change.to, hash: null as never }] }; // the last write fails
      const fails = async (): Promise<void> => {
        await store.apply(position, broken);
        await store.write(position);
      };
      await expect(fails()).rejects.toThrow('null value');
      Object.assign(position, await store.position());
      await store.apply(position, change);
      await store.write(position);
      tried += 1;
      source.mine(tried < 6 ? 10 : 0);
    }
    expect(tried).toBeGreaterThan(5);
    expect(await keptOf(database.db)).toEqual(await recomputedOf(database.db));
  });

  test('history is written together: until then the tables stay, and whoever comes next reads it again', async () => {
    await empty(database.db);
    const source = new SyntheticChain(8);
    source.mine(400);
    const folds = await newStore({ longestMs: Number.POSITIVE_INFINITY });
    const position = await folds.position();
    const before = await contentOf(database.db);
    let pages = 0;
    for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks: 30 })) {
      if (change.type === 'block') await folds.apply(position, change);
      if (change.type === 'finalize') await folds.finalize(position, change);
      pages += 1;
      if (position.number >= 300) break;
    }
    expect(pages).toBeGreaterThan(3);
    expect(await contentOf(database.db)).toEqual(before);

    await catchUp(await newStore(), source, 30);
    const whole = await contentOf(database.db);
    await expect(folds.write(position)).rejects.toThrow('position moved');
    expect(await contentOf(database.db)).toEqual(whole);
    expect(await keptOf(database.db)).toEqual(await recomputedOf(database.db));
  });

  test('what undoes a block is forgotten once the block is final', async () => {
    await empty(database.db);
    const source = new SyntheticChain(6);
    source.mine(100);
    const store = await newStore();
    await catchUp(store, source, 8);
    source.mine(20);
    await catchUp(store, source, 8);
    const { db } = database;
    const blocks = await db.selectFrom('block').select('number').orderBy('number').execute();
    expect(blocks.at(-1)?.number).toBe(source.height);
    expect(blocks.length).toBeLessThanOrEqual(8 + 1 + 2);
    const journal = await db.selectFrom('journal').select('block_number').distinct().execute();
    expect(Math.min(...journal.map((row) => row.block_number))).toBeGreaterThan(source.height - 8 - 2);
  });

  test('I1 a reorg of every block that is not final yet', async () => {
    for (const seed of [61, 62, 63]) {
      await empty(database.db);
      const source = new SyntheticChain(seed);
      source.mine(40);
      const store = await newStore();
      await catchUp(store, source, 10);
      source.reorg(10, 12);
      expect(await catchUp(store, source, 10)).toBe(10);
      const followed = await contentOf(database.db);
      await empty(database.db);
      await catchUp(await newStore(), source, 10);
      expect(followed, `seed ${seed}`).toEqual(await contentOf(database.db));
    }
  });

  test('error: a reorg below finality changes nothing, also where the old blocks are still known', async () => {
    await empty(database.db);
    const source = new SyntheticChain(7);
    source.mine(42);
    const store = await newStore();
    await catchUp(store, source, 40);
    source.mine(5);
    await catchUp(store, source, 40);
    const before = await contentOf(database.db);
    const { finalized, hashes } = await store.position();
    expect(hashes.has(finalized - 2)).toBe(true);
    source.reorg(source.height - finalized + 2, 60);
    await expect(catchUp(store, source, 40)).rejects.toThrow(FinalityError);
    expect(await contentOf(database.db)).toEqual(before);
  });

  test('I4 a provider that lags behind causes no undo', async () => {
    await empty(database.db);
    const source = new SyntheticChain(8);
    source.mine(30);
    const store = await newStore();
    await catchUp(store, source, 10);
    const before = await contentOf(database.db);
    for (const number of [25, 3]) {
      const [behind] = await source.headers([number]);
      source.head = async () => behind as EvmHeader;
      expect(await catchUp(store, source, 10)).toBe(0);
      expect(await contentOf(database.db)).toEqual(before);
    }
  });
});
