import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug, distributionTypes } from '@mintage/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countCredits } from '../../src/api/reads/credits.ts';
import { monthlyTables } from '../../src/db/months.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { dropMonths } from '../../src/index/dropMonths.ts';
import { follow } from '../../src/index/evm/follow.ts';
import { forgetChain } from '../../src/index/forgetChain.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { takeLease } from '../../src/index/store/lease.ts';
import { Store } from '../../src/index/store/store.ts';
import { Random } from './random.ts';
import { keptOf } from './recomputed.ts';
import { SyntheticChain, syntheticDeployment } from './syntheticChain.ts';
import { contentOf, empty } from './tables.ts';

const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
const month = 31 * 86_400;

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());
beforeEach(() => empty(database.db));

const newStore = async (): Promise<Store> => {
  await registerChain(database.db, chain, syntheticDeployment);
  await takeLease(database.db, chain.eid, 'test');
  return new Store(database.db, chain, 'test');
};

const catchUp = async (store: Store, source: SyntheticChain): Promise<void> => {
  const position = await store.position();
  for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks: 10 })) {
    if (change.type === 'idle') break;
    if (change.type === 'block') await store.apply(position, change);
    if (change.type === 'finalize') await store.finalize(position, change);
    if (change.type === 'reorg') Object.assign(position, await store.undo(position, change));
  }
  await store.write(position);
};

/** Blocks in each of six months, all of them indexed. */
const sixMonths = async (seed: number): Promise<{ source: SyntheticChain; store: Store }> => {
  const source = new SyntheticChain(seed);
  for (let i = 0; i < 6; i += 1) {
    source.halt(i === 0 ? 0 : month);
    source.mine(30);
  }
  const store = await newStore();
  await catchUp(store, source);
  return { source, store };
};

const partsOf = async (table: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = ${table}::regclass order by 1`.execute(database.db);
  return rows.map(({ name }) => name);
};

describe('dropMonths', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'months go, sums stay, later blocks and reorgs give what a rebuild gives since then: seed %i',
    async (seed) => {
      const { db } = database;
      const { source, store } = await sixMonths(seed);
      const sums = await keptOf(db);
      const from = (await dropMonths(db, 2)) as Date;
      const { rolled_time: rolled, history_from } = await db
        .selectFrom('chain')
        .select(['rolled_time', 'history_from'])
        .executeTakeFirstOrThrow();
      const twoBefore = Date.UTC(rolled?.getUTCFullYear() as number, (rolled?.getUTCMonth() as number) - 2);
      expect([from.getTime(), history_from]).toEqual([twoBefore, from]);
      for (const table of monthlyTables) {
        const { oldest } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.min('time').as('oldest'))
          .executeTakeFirstOrThrow();
        expect((oldest as Date).getTime()).toBeGreaterThanOrEqual(from.getTime());
      }
      expect(await keptOf(db)).toEqual(sums);
      expect(await dropMonths(db, 2)).toBeNull();

      const choice = new Random(seed);
      for (let round = 0; round < 8; round += 1) {
        source.mine(choice.whole(1, 4));
        await catchUp(store, source);
        source.reorg(choice.whole(1, 4), choice.whole(1, 5));
        await catchUp(store, source);
      }
      source.mine(10);
      await catchUp(store, source);
      const followed = await contentOf(db, from);
      const wallets = (await db.selectFrom('fee_sum').select('recipient').distinct().execute()).map(
        (row) => row.recipient,
      );
      const credits = await countCredits(db.withTables(), { eids: [chain.eid], wallets, kind: undefined });
      expect(credits).toBe(followed.fee_credit?.length);

      await forgetChain(db, chain.eid);
      expect(await db.selectFrom('earner').selectAll().execute()).toEqual([]);
      await catchUp(await newStore(), source);
      const rebuilt = await contentOf(db, from);
      expect(followed).toEqual(rebuilt);
      expect((rebuilt.trade as string[]).length).toBeGreaterThan(0);
      expect((await contentOf(db)).trade?.length).toBeGreaterThan((rebuilt.trade as string[]).length);
      const treasury = await db
        .selectFrom('fee_sum')
        .selectAll()
        .where('distribution_type', '=', distributionTypes.treasury)
        .execute();
      expect(treasury.length).toBeGreaterThan(0);
    },
  );

  test('behavior: a second cut adds to what the first one kept', async () => {
    const { db } = database;
    const { source, store } = await sixMonths(7);
    await dropMonths(db, 4);
    const from = (await dropMonths(db, 2)) as Date;
    source.mine(3);
    await catchUp(store, source);
    source.reorg(3, 4);
    await catchUp(store, source);
    const followed = await contentOf(db, from);
    await forgetChain(db, chain.eid);
    expect(await db.selectFrom('earner').selectAll().execute()).toEqual([]);
    await catchUp(await newStore(), source);
    expect(followed).toEqual(await contentOf(db, from));
  });

  test('behavior: nothing goes while a chain was never near its head', async () => {
    const { db } = database;
    await sixMonths(8);
    const other = { chain: chainBySlug('unichain-testnet'), deployment: { ...syntheticDeployment, chainId: 1301 } };
    await registerChain(db, chainContext(other), other.deployment);
    const before = await partsOf('trade');
    expect(await dropMonths(db, 2)).toBeNull();
    expect(await partsOf('trade')).toEqual(before);
  });

  test('error: while somebody reads for long nothing is dropped, and nothing is lost', async () => {
    const { db } = database;
    await sixMonths(9);
    const before = await contentOf(db);
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('trade').selectAll().limit(1).execute();
      await expect(dropMonths(db, 2)).rejects.toThrow('lock timeout');
    });
    expect(await contentOf(db)).toEqual(before);
    expect(await db.selectFrom('chain').select('history_from').executeTakeFirst()).toEqual({ history_from: null });
    expect(await db.selectFrom('fee_before').selectAll().execute()).toEqual([]);
  });
});
