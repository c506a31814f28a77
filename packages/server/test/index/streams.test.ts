import { testDatabase } from '@mintage/devnet/testDatabase';
import {
  bridgeActivity,
  chainBySlug,
  type Eid,
  formatUnits,
  graduationActivities,
  tradeActivity,
  transferActivity,
} from '@mintage/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row } from '../../src/db/chainTables.ts';
import { type News, prune, publish } from '../../src/db/outbox.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { follow } from '../../src/index/evm/follow.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { takeLease } from '../../src/index/store/lease.ts';
import { Store } from '../../src/index/store/store.ts';
import { eids } from '../eids.ts';
import { Random } from './random.ts';
import { SyntheticChain, syntheticDeployment } from './syntheticChain.ts';
import { empty } from './tables.ts';

const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
const seeds = Number(process.env.REORG_SEEDS ?? 6);
const finalityBlocks = 10;

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.stop());

const fresh = async (): Promise<Store> => {
  await empty(database.db);
  await sql`delete from stream_event`.execute(database.db);
  return resume();
};

const resume = async (): Promise<Store> => {
  await registerChain(database.db, chain, syntheticDeployment);
  await takeLease(database.db, chain.eid, 'test');
  return new Store(database.db, chain, 'test');
};

const catchUp = async (store: Store, source: SyntheticChain, most = Infinity): Promise<number> => {
  const position = await store.position();
  let reorgs = 0;
  for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks })) {
    if (change.type === 'idle') break;
    if (change.type === 'block') await store.apply(position, change);
    if (change.type === 'finalize') await store.finalize(position, change);
    if (change.type === 'reorg') {
      reorgs += 1;
      Object.assign(position, await store.undo(position, change));
    }
    most -= 1;
    if (most <= 0) break;
  }
  await store.write(position);
  return reorgs;
};

const events = (): Promise<Row<'stream_event'>[]> =>
  database.db.selectFrom('stream_event').selectAll().orderBy('topic').orderBy('seq').execute();

/** What a reader holds who adds every event and drops those that are taken back. */
const replicaOf = (rows: readonly Row<'stream_event'>[]): Row<'stream_event'>[] => {
  const held = new Map<string, Row<'stream_event'>>();
  for (const row of rows) {
    if (row.retracts === null) held.set(`${row.topic} ${row.seq}`, row);
    else expect(held.delete(`${row.topic} ${row.retracts}`), 'taken back once, after it was told').toBe(true);
  }
  return [...held.values()];
};

const ofTopic = (rows: readonly Row<'stream_event'>[], topic: string) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from topic to topic and is what the test asserts
  rows.filter((row) => row.topic === topic).map((row) => row.data as any);

/** A wallet's newest state wins. */
const balancesOf = (data: readonly { token_address: string; wallet: string; balance_raw: string }[]) =>
  Object.fromEntries(data.map((one) => [`${one.token_address} ${one.wallet}`, one.balance_raw]));

const filled = (record: object) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Compares what the streams told with the tables, from the block on where the chain went live. */
const expectReplica = async (label: string) => {
  const { db } = database;
  const row = { ...(await db.selectFrom('chain').selectAll().executeTakeFirstOrThrow()), token_decimals: 18 };
  const from = row.live_from as number;
  const rows = await events();
  const replica = replicaOf(rows);
  const tokens = new Map((await db.selectFrom('token').selectAll().execute()).map((token) => [token.address, token]));
  const token = (address: string) => tokens.get(address as never) as Row<'token'>;
  const remote = await db.selectFrom('remote_token').selectAll().execute();
  const foreign = new Map(remote.map((one) => [one.address, { ...one, pool_id: null }]));
  const anywhere = (address: string) => foreign.get(address as never) ?? token(address);
  const sent = await db.selectFrom('bridge_sent').selectAll().where('block_number', '>=', from).execute();
  const received = await db.selectFrom('bridge_received').selectAll().where('block_number', '>=', from).execute();

  const trades = await db.selectFrom('trade').selectAll().where('block_number', '>=', from).execute();
  const transfers = await db.selectFrom('transfer').selectAll().where('block_number', '>=', from).execute();
  const expected = [
    ...trades.map((trade) => tradeActivity(row, token(trade.token), trade)),
    ...transfers.filter((one) => !one.is_leg).map((one) => transferActivity(row, anywhere(one.token), one)),
    ...[...sent, ...received].map((one) => bridgeActivity(row, anywhere(one.token), one)),
    ...[...tokens.values()].flatMap((one) =>
      one.graduation !== null && one.graduation.blockNumber >= from
        ? graduationActivities(row, one, one.graduation, one.graduated_at as Date)
        : [],
    ),
  ];
  const byPk = (list: readonly object[]) => list.map(filled).toSorted((a, b) => (String(a.pk) < String(b.pk) ? -1 : 1));
  expect(byPk(ofTopic(replica, 'tokenActivity')), label).toEqual(byPk(expected));
  expect(new Set(expected.map(({ pk }) => pk)).size).toBe(expected.length);

  const credits = await db.selectFrom('fee_credit').selectAll().where('block_number', '>=', from).execute();
  const feeLines = (list: readonly (readonly unknown[])[]) => list.map((parts) => parts.join(' ')).toSorted();
  expect(
    feeLines(
      ofTopic(replica, 'walletFees').map((one) => [
        one.tx_hash,
        one.evt_index,
        one.distribution_type,
        one.recipient,
        one.amount_raw,
      ]),
    ),
    label,
  ).toEqual(
    feeLines(credits.map((one) => [one.tx_hash, one.log_index, one.distribution_type, one.recipient, one.amount])),
  );

  const told = balancesOf(ofTopic(replica, 'walletBalances'));
  const toldWithoutUndo = balancesOf(
    ofTopic(
      rows.filter(({ retracts }) => retracts === null),
      'walletBalances',
    ),
  );
  const balances = await db.selectFrom('balance').selectAll().execute();
  const held = Object.fromEntries(balances.map((one) => [`${one.token} ${one.wallet}`, one.amount.toString()]));
  const moved = transfers
    .filter(({ amount, sender, recipient }) => amount > 0n && sender !== recipient)
    .flatMap(({ token: address, sender, recipient }) =>
      [sender, recipient].filter((wallet) => chain.isHolder(address, wallet)).map((wallet) => `${address} ${wallet}`),
    );
  for (const list of [told, toldWithoutUndo]) {
    for (const [key, amount] of Object.entries(list)) expect(held[key] ?? '0', `${label} ${key}`).toBe(amount);
    for (const key of moved) expect(list, label).toHaveProperty([key]);
  }
  return { events: rows.length, retractions: rows.filter(({ retracts }) => retracts !== null).length };
};

describe('streams', () => {
  test.each(Array.from({ length: seeds }, (_, i) => i + 1))(
    'S4 reorgs and restarts, seed %i: what the streams told is what the tables hold',
    async (seed) => {
      const choice = new Random(seed * 104_729);
      const source = new SyntheticChain(seed + 500);
      let store = await fresh();
      source.mine(choice.whole(3, 30));
      await catchUp(store, source);
      expect(await events(), 'a first backfill is no news').toEqual([]);
      let reorgs = 0;
      for (let round = 0; round < 10; round += 1) {
        // Sometimes so much at once that the pages are those of a backfill: after the first time nothing is skipped.
        source.mine(choice.chance(0.2) ? 40 : choice.whole(1, 6));
        reorgs += await catchUp(store, source, choice.chance(0.3) ? 1 : Infinity);
        if (choice.chance(0.3)) store = await resume();
        reorgs += await catchUp(store, source);
        const depth = choice.whole(1, 8);
        if (choice.chance(0.7)) source.reorg(depth, depth + choice.whole(0, 3));
        reorgs += await catchUp(store, source);
        await expectReplica(`seed ${seed} round ${round}`);
      }
      const told = await expectReplica(`seed ${seed}`);
      expect(reorgs).toBeGreaterThan(0);
      expect(told.retractions).toBeGreaterThan(0);
    },
  );

  test('S4 numbers are those of the commits: who reads while several chains write misses nothing', async () => {
    await fresh();
    const { db } = database;
    const [{ last_seq: before }] = (await db
      .selectFrom('stream_topic')
      .select('last_seq')
      .where('topic', '=', 'tokenActivity')
      .execute()) as [{ last_seq: number }];
    const write = async (eid: Eid) => {
      for (let i = 0; i < 30; i += 1) {
        await db.transaction().execute(async (tx) => {
          await sql`select pg_sleep(random() * 0.004)`.execute(tx);
          await publish(
            tx,
            [news(eid, i, 'tokenActivity'), news(eid, i, 'walletFees')].toSorted(() => i % 2 || -1),
          );
          await sql`select pg_sleep(random() * 0.004)`.execute(tx); // between number and commit
        });
      }
    };
    let isWriting = true;
    const seen: number[] = [];
    const read = async () => {
      for (let last = before; ; ) {
        const wasWriting = isWriting;
        const rows = await db
          .selectFrom('stream_event')
          .select('seq')
          .where('topic', '=', 'tokenActivity')
          .where('seq', '>', last)
          .orderBy('seq')
          .execute();
        seen.push(...rows.map(({ seq }) => seq));
        last = seen.at(-1) ?? before;
        if (!wasWriting) return;
      }
    };
    const writing = Promise.all([eids.ethereum, eids.base, eids.bnb].map(write)).finally(() => {
      isWriting = false;
    });
    await Promise.all([writing, read()]);
    expect(seen).toEqual(Array.from({ length: 90 }, (_, i) => before + 1 + i));
  });

  test('prune: what is older than 7 days or beyond the newest million goes, from the oldest on', async () => {
    await fresh();
    const { db } = database;
    await db.transaction().execute((tx) =>
      publish(
        tx,
        Array.from({ length: 6 }, (_, i) => news(eids.ethereum, i, 'walletFees')),
      ),
    );
    await prune(db);
    expect((await events()).length).toBe(6);
    await sql`update stream_event set created_at = now() - interval '8 days' where block_number < 2`.execute(db);
    await prune(db);
    expect((await events()).map(({ block_number }) => block_number)).toEqual([2, 3, 4, 5]);
    await sql`update stream_topic set last_seq = last_seq + 999998 where topic = 'walletFees'`.execute(db);
    await prune(db);
    expect((await events()).map(({ block_number }) => block_number)).toEqual([4, 5]);
  });

  test('walletBalances: one state per block, also when a page holds many blocks', async () => {
    const source = new SyntheticChain(77);
    const store = await fresh();
    source.mine(5);
    await catchUp(store, source);
    source.mine(60);
    await catchUp(store, source);
    const { db } = database;
    const transfers = await db
      .selectFrom('transfer')
      .selectAll()
      .orderBy('block_number')
      .orderBy('log_index')
      .execute();
    const held = new Map<string, bigint>();
    const expected = new Map<string, string>();
    for (const { token, sender, recipient, amount, block_number } of transfers) {
      if (amount === 0n || sender === recipient) continue;
      for (const [wallet, change] of [
        [sender, -amount],
        [recipient, amount],
      ] as const) {
        if (!chain.isHolder(token, wallet)) continue;
        const now = (held.get(`${token} ${wallet}`) ?? 0n) + change;
        held.set(`${token} ${wallet}`, now);
        if (block_number > 6) expected.set(`${block_number} ${token} ${wallet}`, formatUnits(now, 18));
      }
    }
    const told = ofTopic(await events(), 'walletBalances');
    expect(told.length).toBe(expected.size);
    expect(
      Object.fromEntries(
        told.map((one) => [`${one.evt_block_number} ${one.token_address} ${one.wallet}`, one.balance]),
      ),
    ).toEqual(Object.fromEntries(expected));
    expect(expected.size).toBeGreaterThan(20);
  });
});

const news = (eid: Eid, block: number, topic: News['topic']): News => ({
  topic,
  eid,
  block_number: block,
  time: new Date(),
  platform_id: null,
  wallet: null,
  retracts: null,
  data: {},
});
