import type { NewRow } from '@mintage/indexer/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDraft, addToken, ask, callerWith, hex, startReads, tokenRow } from '../reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const fox = tokenRow('base-sepolia', hex(0xf0));

let reads: Awaited<ReturnType<typeof startReads>>;
let nextId = 1;
const credit = (row: Partial<NewRow<'fee_credit'>>): NewRow<'fee_credit'> => ({
  chain_id: 84532,
  recipient: first,
  block_number: 5,
  log_index: 0,
  part: 0,
  id: `00000000-0000-4000-8000-${(nextId++).toString().padStart(12, '0')}`,
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
  await reads.db
    .insertInto('fee_credit')
    .values([
      credit({}),
      credit({ part: 1, distribution_type: 4 }),
      credit({
        recipient: second,
        block_number: 6,
        distribution_type: 1,
        activity_id: 1,
        time: new Date('2026-01-01T00:00:06Z'),
      }),
      credit({
        chain_id: 56,
        amount: 1n,
        distribution_type: 255,
        activity_id: 9,
        token: null,
        time: new Date('2026-01-01T00:00:07Z'),
      }),
      credit({ recipient: hex(0xbad) }),
      credit({ chain_id: 1 }),
    ])
    .execute();
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
      id: '00000000-0000-4000-8000-000000000001',
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
