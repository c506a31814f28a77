import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, callerWith, heldRow, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const unit = 10n ** 18n;
const owl = tokenRow('base-sepolia', hex(0xf3), { name: 'Owl', symbol: 'OWL', holders: 3, creator: second });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, owl, 'owl');
  await reads.db
    .insertInto('balance')
    .values([
      heldRow(owl, hex(0xb1), { amount: 9_999_999n * unit + 1n, cost_usd: 5_000_000n }),
      heldRow(owl, first, { amount: 10_000_000n * unit, cost_usd: 1_500_000n }),
      heldRow(owl, second, { amount: 1n }),
      heldRow(owl, hex(0xb3), { amount: 0n }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const holders = (body: object, who = null as typeof caller | null) =>
  ask(reads.context, 'getTokenHolders', { token_id: 'owl', ...body }, who);
describe('getTokenHolders', () => {
  test('default: largest first, share of the supply rounded down, whoever holds nothing left out', async () => {
    const { holders: rows, pagination } = await holders({});
    expect(pagination).toEqual({ limit: 20, offset: 0, total: 3, has_more: false });
    expect(rows).toEqual([
      {
        rank: 1,
        chain: 'base-sepolia',
        wallet: first,
        balance: '10000000',
        balance_raw: '10000000000000000000000000',
        share_pct: '1',
        value_usd: '100',
        first_acquired: '2026-01-03T00:00:00.000Z',
        is_creator: false,
        cost_usd: null,
      },
      expect.objectContaining({ rank: 2, wallet: hex(0xb1), share_pct: '0.9999999', cost_usd: null }),
      expect.objectContaining({ rank: 3, wallet: second, share_pct: '0', is_creator: true }),
    ]);
  });

  test('behavior: W5 the cost is shown of own wallets only', async () => {
    const { holders: rows } = await holders({}, caller);
    expect(rows.map(({ wallet, cost_usd }) => [wallet, cost_usd])).toEqual([
      [first, '1.5'],
      [hex(0xb1), null],
      [second, '0'],
    ]);
  });

  test('behavior: pages', async () => {
    const { holders: rows, pagination } = await holders({ limit: 1, offset: 1 });
    expect(rows.map(({ rank, wallet }) => [rank, wallet])).toEqual([[2, hex(0xb1)]]);
    expect(pagination).toEqual({ limit: 1, offset: 1, total: 3, has_more: true });
  });

  test.each([{ limit: 0 }, { limit: 101 }, { offset: -1 }, { offset: 10_001 }])(
    'error: R7 bounds are checked: %j',
    async (body) => {
      await expect(holders(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    },
  );

  test('error: an unknown token', async () => {
    await expect(holders({ token_id: 'nothing' })).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
