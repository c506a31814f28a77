import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug } from '@mintage/protocol';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, type NewRow } from '../../src/db/chainTables.ts';
import { linkWallets } from '../../src/db/linkWallets.ts';
import { makeMonths } from '../../src/db/months.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import { moveEarners, takeBackEarners } from '../../src/index/aggregates/earners.ts';
import { computeWindows, moveWindows } from '../../src/index/aggregates/windows.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { forgetChain } from '../../src/index/forgetChain.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { eids } from '../eids.ts';
import { syntheticDeployment } from './syntheticChain.ts';
import { empty } from './tables.ts';

/** What moves with the chain's clock, by hand: the exact second at which something enters and leaves. */
const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
const bnb = chainContext({
  chain: chainBySlug('bnb'),
  deployment: { ...syntheticDeployment, chainId: 56, usdDecimals: 18 },
});
const hex = (n: number, bytes = 20): Hex => `0x${n.toString(16).padStart(2 * bytes, '0')}`;
const token = hex(0xf0);
const start = 1_800_000_000;
const at = (seconds: number): Date => new Date((start + seconds) * 1000);
const usd = 10n ** 18n;

let database: RunningDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await makeMonths(database.db, [at(0)]);
});
afterAll(() => database.stop());
beforeEach(() => empty(database.db));

const addToken = (): Promise<unknown> =>
  sql`insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
      block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18)
    values (${chain.eid}, ${token}, gen_random_uuid(), '0x', '0x', 7, '', '', '', '', ${at(0)}, 0, 0, '', 1, 1,
      ${4n * usd}, ${4n * usd})`.execute(database.db);

/** A trade of this gross USD at a price, in a block of its own at that second; and a transfer that leaves so many holders. */
const addTrade = async (seconds: number, price: bigint, gross: bigint, holders: number, log = 1): Promise<void> => {
  await sql`insert into trade (eid, token, block_number, log_index, block_hash, tx_hash, time, trader, recipient, side,
      venue, foreign_router, gross_usd, tokens, fee_bps, base, excess, builder, builder_bps, builder_fee, referral, referrer, cashback,
      state_a, state_b, tick, price_usd18, progress_pct18)
    values (${chain.eid}, ${token}, ${seconds}, ${log}, '', '', ${at(seconds)}, '', '', 'buy', 'curve', false, ${gross * 1_000_000n},
      1, 100, 0, 0, '', 0, 0, '', '', 0, 1, 1, 0, ${price * usd}, ${price})`.execute(database.db);
  await sql`insert into transfer (eid, token, block_number, log_index, block_hash, tx_hash, time, sender, recipient,
      amount, is_leg, holders)
    values (${chain.eid}, ${token}, ${seconds}, ${log - 1}, '', '', ${at(seconds)}, '', '', 1, true, ${holders})`.execute(
    database.db,
  );
  await sql`update token set price_usd18 = ${price * usd}, progress_pct18 = ${price}, holders = ${holders}`.execute(
    database.db,
  );
};

const windows = async (window: '5m' | '1h') => {
  const row = await database.db.selectFrom('token_window').selectAll().executeTakeFirstOrThrow();
  return [
    row[`volume_usd18_${window}`] / usd,
    row[`before_usd18_${window}`] / usd,
    row[`price_then_usd18_${window}`] / usd,
    row[`holders_then_${window}`],
    row[`progress_then_pct18_${window}`],
    row.volume_usd18_1m / usd,
    row.price_change_usd18_24h / usd,
  ];
};

describe('token_window', () => {
  const moment = (seconds: number) => ({ block: seconds, time: at(seconds) });
  /** Of five minutes: volume, volume before, price, holders and progress then; volume of a minute, change of a day in USD. */
  const story: [number, unknown[]][] = [
    [10, [7n, 0n, 4n, 0, 0n, 7n, 2n]], // the first trade: measured from the start price
    [69, [7n, 0n, 4n, 0, 0n, 7n, 2n]],
    [70, [7n, 0n, 4n, 0, 0n, 0n, 2n]], // it left the minute
    [309, [7n, 0n, 4n, 0, 0n, 0n, 2n]],
    [310, [0n, 7n, 6n, 1, 6n, 0n, 2n]], // at now - W it is inside no more, and changes are measured from it
    [311, [30n, 7n, 6n, 1, 6n, 30n, -1n]], // two trades of one block came
    [609, [30n, 7n, 6n, 1, 6n, 0n, -1n]],
    [610, [30n, 0n, 6n, 1, 6n, 0n, -1n]], // the first left the five minutes before, too
    [611, [0n, 30n, 3n, 3, 3n, 0n, -1n]],
    [911, [0n, 0n, 3n, 3, 3n, 0n, -1n]],
    [86_410, [0n, 0n, 3n, 3, 3n, 0n, -3n]],
    [100_000, [0n, 0n, 3n, 3, 3n, 0n, 0n]],
  ];

  test('moved block by block: the very second at which a trade enters and leaves', async () => {
    await addToken();
    let last = moment(0);
    await moveWindows(database.db, chain, { block: -1, time: at(-2) }, last, [token]);
    for (const [seconds, expected] of story) {
      if (seconds === 10) await addTrade(10, 6n, 7n, 1);
      if (seconds === 311) {
        await addTrade(311, 5n, 10n, 2);
        await addTrade(311, 3n, 20n, 3, 3);
      }
      await moveWindows(database.db, chain, last, moment(seconds), []);
      last = moment(seconds);
      expect(await windows('5m'), `after ${seconds} s`).toEqual(expected);
      const moved = await database.db.selectFrom('token_window').selectAll().orderBy('token').execute();
      await computeWindows(database.db, chain, last);
      expect(await database.db.selectFrom('token_window').selectAll().orderBy('token').execute()).toEqual(moved);
    }
  });

  test('one long step over trades that came and left gives the same', async () => {
    await addToken();
    await moveWindows(database.db, chain, { block: -1, time: at(-2) }, moment(0), [token]);
    await addTrade(10, 6n, 7n, 1);
    await addTrade(311, 3n, 30n, 3);
    await moveWindows(database.db, chain, moment(0), moment(611), []);
    expect(await windows('5m')).toEqual([0n, 30n, 3n, 3, 3n, 0n, -1n]);
    expect(await windows('1h')).toEqual([37n, 0n, 4n, 0, 0n, 0n, -1n]);
  });

  test('a price that was nothing, and one beyond measure, stop no chain', async () => {
    await addToken();
    await sql`update token set start_price_usd18 = 0`.execute(database.db);
    await moveWindows(database.db, chain, { block: -1, time: at(-2) }, moment(0), [token]);
    await addTrade(10, 10n ** 50n, 1n, 1);
    await moveWindows(database.db, chain, moment(0), moment(10), []);
    expect((await windows('5m')).at(-1)).toBe(10n ** 50n);
  });
});

const week = 7 * 86_400;
const [alice, bob, carol] = [hex(0xa), hex(0xb), hex(0xc)];

const credit = (
  recipient: Hex,
  seconds: number,
  amount: bigint,
  row: Partial<NewRow<'fee_credit'>> = {},
  db: Kysely<Database> = database.db,
) =>
  db
    .insertInto('fee_credit')
    .values({
      eid: chain.eid,
      recipient,
      block_number: seconds,
      log_index: 0,
      part: 0,
      block_hash: '0x',
      tx_hash: '0x',
      time: at(seconds),
      currency: chain.usd,
      amount,
      distribution_type: 0,
      activity_id: 0,
      token: null,
      ...row,
    })
    .execute();

/** `network account`, earned and earned in seven days, in dollars. */
const earners = async (): Promise<Record<string, [bigint, bigint]>> => {
  const rows = await database.db.selectFrom('earner').selectAll().orderBy('network').orderBy('account').execute();
  return Object.fromEntries(
    rows.map((row) => [`${row.network} ${row.account}`, [row.earned_usd18 / usd, row.earned_7d_usd18 / usd]]),
  );
};

const moment = (seconds: number) => ({ block: seconds, time: at(seconds) });
const dollar = 1_000_000n;

const inTransaction = (work: (tx: Transaction<Database>) => Promise<void>): Promise<void> =>
  database.db.transaction().execute(work);

describe('earner', () => {
  test('moved and taken back by differences: the second at which a credit leaves the seven days', async () => {
    await credit(alice, 10, 5n * dollar);
    await credit(alice, 20, 2n * dollar);
    await credit(bob, 20, 100n * dollar, { distribution_type: 255, part: 1 });
    await inTransaction((tx) => moveEarners(tx, chain, null, moment(20)));
    expect(await earners()).toEqual({ [`both ${alice}`]: [7n, 7n], [`testnet ${alice}`]: [7n, 7n] });

    await inTransaction((tx) => moveEarners(tx, chain, moment(20), moment(10 + week - 1)));
    expect((await earners())[`both ${alice}`]).toEqual([7n, 7n]);
    await inTransaction((tx) => moveEarners(tx, chain, moment(10 + week - 1), moment(10 + week)));
    expect((await earners())[`both ${alice}`]).toEqual([7n, 2n]);
    await credit(bob, 11 + week, 1n * dollar);
    await inTransaction((tx) => moveEarners(tx, chain, moment(10 + week), moment(11 + week)));
    expect((await earners())[`both ${bob}`]).toEqual([1n, 1n]);

    await inTransaction((tx) => takeBackEarners(tx, chain, moment(11 + week), moment(20)));
    expect(await earners()).toEqual({ [`both ${alice}`]: [7n, 7n], [`testnet ${alice}`]: [7n, 7n] });
  });

  test('chains of several networks and decimals add up, and one that is forgotten takes only its own part', async () => {
    const { db } = database;
    for (const [context, slug] of [
      [chain, 'base-sepolia'],
      [bnb, 'bnb'],
    ] as const) {
      await registerChain(db, context, {
        ...syntheticDeployment,
        usdDecimals: context.decimals.usd,
      });
      await sql`update chain set rolled_block = 20, rolled_time = ${at(20)} where slug = ${slug}`.execute(db);
    }
    await credit(alice, 10, 5n * dollar);
    await credit(alice, 15, 3n * usd, { eid: eids.bnb });
    await credit(carol, 15, 1n * usd, { eid: eids.bnb, part: 1 });
    await inTransaction((tx) => moveEarners(tx, chain, null, moment(20)));
    await inTransaction((tx) => moveEarners(tx, bnb, null, moment(20)));
    expect(await earners()).toEqual({
      [`both ${alice}`]: [8n, 8n],
      [`both ${carol}`]: [1n, 1n],
      [`mainnet ${alice}`]: [3n, 3n],
      [`mainnet ${carol}`]: [1n, 1n],
      [`testnet ${alice}`]: [5n, 5n],
    });
    await forgetChain(db, eids.bnb);
    expect(await earners()).toEqual({ [`both ${alice}`]: [5n, 5n], [`testnet ${alice}`]: [5n, 5n] });
  });
});

/** Pages of one block each, in which every wallet earns a dollar on this chain. */
const indexPages = async (context: typeof chain, wallets: readonly Hex[], pages: number): Promise<void> => {
  const { eid, usd: currency, decimals } = context;
  for (let block = 1; block <= pages; block += 1) {
    await inTransaction(async (tx) => {
      await sql`insert into fee_credit
        select ${eid}, wallet, ${block}, 0, 0, '', '', ${at(block)}, ${currency}, ${10n ** BigInt(decimals.usd)},
          0, 0, null from unnest(${wallets}::text[]) wallet`.execute(tx);
      await moveEarners(tx, context, block === 1 ? null : moment(block - 1), moment(block));
      await sql`select pg_sleep(0.005)`.execute(tx); // the rest of the page
    });
  }
};

describe('several chains at once', () => {
  test('never wait for each other in a circle, and lose nothing', async () => {
    const wallets = Array.from({ length: 300 }, (_, i) => hex(0x100 + i));
    await Promise.all([indexPages(chain, wallets, 12), indexPages(bnb, wallets.toReversed(), 12)]);
    const sums = await earners();
    expect(new Set(wallets.map((wallet) => sums[`both ${wallet}`]?.join()))).toEqual(new Set(['24,24']));
  });
});

describe('linkWallets', () => {
  const link = (account: Hex, wallet: Hex): Promise<void> => inTransaction((tx) => linkWallets(tx, account, wallet));

  test('wallets of one user count as one earner, whatever came first', async () => {
    await link(alice, bob);
    await credit(alice, 10, 1n * dollar);
    await credit(bob, 10, 2n * dollar);
    await credit(carol, 10, 4n * dollar);
    await inTransaction((tx) => moveEarners(tx, chain, null, moment(10)));
    expect(await earners()).toEqual({
      [`both ${alice}`]: [3n, 3n],
      [`both ${carol}`]: [4n, 4n],
      [`testnet ${alice}`]: [3n, 3n],
      [`testnet ${carol}`]: [4n, 4n],
    });
    const all = { [`both ${alice}`]: [7n, 7n], [`testnet ${alice}`]: [7n, 7n] };
    await link(bob, carol);
    expect(await earners()).toEqual(all);
    await link(alice, carol);
    expect(await earners()).toEqual(all);
    await expect(link(hex(0xdd), carol)).rejects.toThrow(`count for ${alice} already`);
    expect(await earners()).toEqual(all);
  });

  test('while two chains index: no earning is lost or counted for the old wallet', async () => {
    const wallets = Array.from({ length: 12 }, (_, i) => hex(0x100 + i));
    const account = wallets[0] as Hex;
    const pages = 10;
    const linkAll = async (): Promise<void> => {
      for (const wallet of wallets.slice(1)) await link(account, wallet);
    };
    await Promise.all([indexPages(chain, wallets, pages), indexPages(bnb, wallets, pages), linkAll()]);
    const each = BigInt(wallets.length * pages);
    expect(await earners()).toEqual({
      [`both ${account}`]: [2n * each, 2n * each],
      [`mainnet ${account}`]: [each, each],
      [`testnet ${account}`]: [each, each],
    });
  });
});
