import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addDraft,
  addToken,
  ask,
  callerWith,
  hex,
  startReads,
  tokenRow,
} from '../../../test/api/reads/readsFixture.ts';
import { eids } from '../../../test/eids.ts';
import type { NewRow } from '../../db/chainTables.ts';
import { makeMonths } from '../../db/months.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const fox = tokenRow('base-sepolia', hex(0xf0));

let reads: Awaited<ReturnType<typeof startReads>>;
const credit = (row: Partial<NewRow<'fee_credit'>>): NewRow<'fee_credit'> => ({
  eid: eids.baseSepolia,
  recipient: first,
  block_number: 5,
  log_index: 0,
  part: 0,
  block_hash: hex(5, 32),
  tx_hash: hex(6, 32),
  time: new Date('2026-01-01T00:00:05Z'),
  currency: hex(0x6),
  amount: 1_500_000n,
  distribution_type: 0,
  activity_id: 0,
  token: fox.address,
  ...row,
});

beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addDraft(reads.db, fox, 'red-fox');
  const credits = [
    credit({}),
    credit({ part: 1, distribution_type: 4 }),
    credit({
      recipient: second,
      block_number: 6,
      block_hash: hex(6, 32),
      distribution_type: 1,
      activity_id: 1,
      time: new Date('2026-01-01T00:00:06Z'),
    }),
    credit({
      eid: eids.bnb,
      amount: 1n,
      distribution_type: 255,
      activity_id: 9,
      token: null,
      time: new Date('2026-01-01T00:00:07Z'),
    }),
    credit({ recipient: hex(0xbad) }),
    credit({ eid: eids.ethereum }),
  ];
  await reads.db.insertInto('fee_credit').values(credits).execute();
  // Every credit above is another recipient, chain or kind.
  const sums = credits.map(({ eid, recipient, distribution_type, amount }) => ({
    eid,
    recipient,
    distribution_type,
    credits: 1,
    earned: amount,
  }));
  await reads.db.insertInto('fee_sum').values(sums).execute();
});
afterAll(() => reads?.stop());

const history = (body: unknown, who = caller) => ask(reads.context, 'getUserFeeHistory', body, who);

describe('getUserFeeHistory', () => {
  test('default: all wallets, newest first, in words, with the token', async () => {
    const { distributions, total_count } = await history({});
    expect(total_count).toBe(4);
    expect(distributions.map((row) => [row.chain, row.distribution_type, row.fee_type, row.activity_id])).toEqual([
      ['bnb', 'treasury', 'treasury', 'unknown'],
      ['base-sepolia', 'builder', 'builder', 'dex_trade'],
      ['base-sepolia', 'protocol_referral_cashback', 'protocol_referral_cashback', 'bonding_curve_trade'],
      ['base-sepolia', 'owner', 'ip_holder', 'bonding_curve_trade'],
    ]);
    expect(distributions[3]).toEqual({
      id: 'edf77b13-fcfd-8f1a-9d16-dba7a21898ba', // of chain, block hash, log index and part, so kept for good
      recipient_address: first,
      distribution_type: 'owner',
      fee_type: 'ip_holder',
      activity_id: 'bonding_curve_trade',
      amount: '1500000',
      amount_with_decimals: '1.5',
      decimals: 6,
      currency_address: hex(0x6),
      chain: 'base-sepolia',
      tracking_id: fox.platform_id,
      transaction_hash: hex(6, 32),
      block_number: 5,
      created_at: '2026-01-01T00:00:05.000Z',
      token: { id: fox.token_id, name: 'Red Fox', symbol: 'FOX', slug: 'red-fox', logo: 'http://127.0.0.1/fox.webp' },
    });
  });

  test('behavior: a fee without a token has null for it, and 18 decimals where the chain has them', async () => {
    const [row] = (await history({ chains: ['bnb'] })).distributions;
    expect(row).toMatchObject({
      token: null,
      tracking_id: null,
      decimals: 18,
      amount_with_decimals: '0.000000000000000001',
    });
  });

  test('behavior: pages do not overlap and count everything', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => history({ limit: 1, offset })));
    expect(pages.map((page) => page.total_count)).toEqual([4, 4, 4, 4, 4]);
    expect(new Set(pages.flatMap((page) => page.distributions.map(({ id }) => id))).size).toBe(4);
    expect(pages[4]?.distributions).toEqual([]);
  });

  test('behavior: many of one kind are paged in order with those of others', async () => {
    const many = hex(0xa3);
    const at = (block_number: number, distribution_type: number) =>
      credit({
        recipient: many,
        block_number,
        distribution_type,
        time: new Date(Date.parse('2026-02-01T00:00:00Z') + block_number * 1000),
      });
    const credits = Array.from({ length: 30 }, (_, i) => at(100 + i, i % 3 === 0 ? 1 : 0));
    await makeMonths(
      reads.db,
      credits.map(({ time }) => time),
    );
    await reads.db.insertInto('fee_credit').values(credits).execute();
    const sum = (distribution_type: number, count: number) => ({
      eid: eids.baseSepolia,
      recipient: many,
      distribution_type,
      credits: count,
      earned: BigInt(count) * 1_500_000n,
    });
    await reads.db
      .insertInto('fee_sum')
      .values([sum(0, 20), sum(1, 10)])
      .execute();
    const blocks = async (body: object) => {
      const { distributions, total_count } = await history(body, callerWith(many));
      return [total_count, ...distributions.map(({ block_number }) => block_number)];
    };
    expect(await blocks({ limit: 4, offset: 10 })).toEqual([30, 119, 118, 117, 116]);
    expect(await blocks({ limit: 3, offset: 1, fee_type: 'builder' })).toEqual([10, 124, 121, 118]);
    expect(await blocks({ limit: 3, offset: 29 })).toEqual([30, 100]);
  });

  test('behavior: as an info read, with numbers and names and its pagination', async () => {
    const body = { type: 'getUserFeeHistory', limit: 1, offset: 3 };
    expect(await ask(reads.context, 'info', body, caller)).toEqual({
      type: 'getUserFeeHistory',
      success: true,
      data: {
        distributions: [
          {
            chain: 'base-sepolia',
            evt_tx_hash: hex(6, 32),
            evt_block_number: 5,
            evt_index: 0,
            evt_block_time: '2026-01-01T00:00:05.000Z',
            account: first,
            currency: hex(0x6),
            token_address: hex(0x6),
            acme_pad_id: null,
            platform_id: null,
            token_name: 'USDC',
            token_symbol: 'USDC',
            token_decimals: 6,
            amount: '1.5',
            amount_raw: '1500000',
            tracking_id: fox.platform_id,
            token: {
              id: fox.token_id,
              name: 'Red Fox',
              symbol: 'FOX',
              slug: 'red-fox',
              logo: 'http://127.0.0.1/fox.webp',
            },
            distribution_type: 0,
            distribution_name: 'Owner',
            activity_id: 0,
            activity_name: 'BondingCurveTrade',
          },
        ],
        total_count: 4,
        pagination: { limit: 1, offset: 3, total: 4, has_more: false },
      },
    });
  });

  test('behavior: fee_type and chains filter rows and count', async () => {
    expect((await history({ fee_type: 'ip_holder' })).total_count).toBe(1);
    expect((await history({ fee_type: 'token_referral' })).total_count).toBe(0);
    expect((await history({ chains: ['bnb', 'nowhere'] })).total_count).toBe(1);
    expect((await history({}, callerWith())).total_count).toBe(0);
  });

  test.each([
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { offset: -1 },
    { offset: 10_001 },
    { fee_type: 'owner' },
    { limit: '5' },
  ])('error: R7 bounds and words are checked: %j', async (body) => {
    await expect(history(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });

  test('error: W5 another user_id is refused', async () => {
    await expect(history({ user_id: '00000000-0000-4000-8000-0000000000ff' })).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
  });
});
