import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, callerWith, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { eids } from '../../../test/eids.ts';
import type { NewRow } from '../../db/chainTables.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const caller = callerWith(first, second);
const fox = tokenRow('base-sepolia', hex(0xf0));
const atSecond = (second: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000);

let reads: Awaited<ReturnType<typeof startReads>>;
const claim = (row: Partial<NewRow<'withdrawal'>>): NewRow<'withdrawal'> => ({
  eid: eids.baseSepolia,
  account: first,
  block_number: 5,
  log_index: 0,
  block_hash: hex(5, 32),
  tx_hash: hex(6, 32),
  time: atSecond(5),
  currency: hex(0x6),
  recipient: first,
  amount: 1_500_000n,
  ...row,
});

beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  const claims = [
    claim({}),
    claim({ log_index: 1, currency: fox.address, amount: 1n }),
    claim({ account: second, recipient: hex(0xee), block_number: 6, block_hash: hex(6, 32), time: atSecond(6) }),
    // The fox is a token of another chain: here this is its dollar.
    claim({ eid: eids.bnb, currency: fox.address, amount: 1n, block_number: 2, time: atSecond(7) }),
    claim({ account: hex(0xbad), recipient: first, block_number: 7, time: atSecond(8) }),
    claim({ eid: eids.ethereum }),
  ];
  await reads.db.insertInto('withdrawal').values(claims).execute();
});
afterAll(() => reads?.stop());

const claimsOf = (body: unknown, who = caller) => ask(reads.context, 'getUserClaims', body, who);

describe('getUserClaims', () => {
  test('default: all wallets, newest first over chains, dollars and tokens by their names', async () => {
    const { claims, total_count } = await claimsOf({});
    expect(total_count).toBe(4);
    expect(claims.map((row) => [row.chain, row.wallet_address, row.currency_symbol, row.amount_with_decimals])).toEqual(
      [
        ['bnb', first, 'USDC', '0.000000000000000001'],
        ['base-sepolia', second, 'USDC', '1.5'],
        ['base-sepolia', first, 'FOX', '0.000000000000000001'],
        ['base-sepolia', first, 'USDC', '1.5'],
      ],
    );
    expect(claims[1]).toEqual({
      id: claims[1]?.id,
      wallet_address: second,
      recipient_address: hex(0xee),
      amount: '1500000',
      amount_with_decimals: '1.5',
      decimals: 6,
      currency_address: hex(0x6),
      currency_symbol: 'USDC',
      chain: 'base-sepolia',
      transaction_hash: hex(6, 32),
      block_number: 6,
      created_at: '2026-01-01T00:00:06.000Z',
    });
    expect(new Set(claims.map(({ id }) => id)).size).toBe(4);
  });

  test('behavior: W5 nobody else’s are in it, also those that were paid to the caller', async () => {
    const paidTo = (await claimsOf({})).claims.map((row) => row.wallet_address);
    expect(new Set(paidTo)).toEqual(new Set([first, second]));
    expect((await claimsOf({}, callerWith(second))).total_count).toBe(1);
    expect(await claimsOf({}, callerWith(hex(0xc1)))).toEqual({ claims: [], total_count: 0 });
    expect(await claimsOf({}, callerWith())).toEqual({ claims: [], total_count: 0 });
  });

  test('behavior: chains filter rows and count; one that is not served has none', async () => {
    expect(await claimsOf({ chains: ['bnb'] })).toMatchObject({ claims: [{ chain: 'bnb' }], total_count: 1 });
    expect((await claimsOf({ chains: ['bnb', 'base-sepolia'] })).total_count).toBe(4);
    expect((await claimsOf({ chains: ['nowhere'] })).total_count).toBe(0);
  });

  test('behavior: pages do not overlap and count everything', async () => {
    const whole = (await claimsOf({})).claims.map(({ id }) => id);
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => claimsOf({ limit: 1, offset })));
    expect(pages.map((page) => page.total_count)).toEqual([4, 4, 4, 4, 4]);
    expect(pages.map((page) => page.claims.map(({ id }) => id))).toEqual([...whole.map((id) => [id]), []]);
  });

  test('behavior: many of several wallets and chains are paged in order', async () => {
    const [one, other] = [hex(0xb1), hex(0xb2)];
    const many = Array.from({ length: 30 }, (_, i) =>
      claim({
        account: i % 3 === 0 ? other : one,
        eid: i % 2 === 0 ? eids.bnb : eids.baseSepolia,
        block_number: 100 + i,
        time: atSecond(100 + i),
      }),
    );
    await reads.db.insertInto('withdrawal').values(many).execute();
    const blocks = async (body: object) => {
      const { claims, total_count } = await claimsOf(body, callerWith(one, other));
      return [total_count, ...claims.map(({ block_number }) => block_number)];
    };
    expect(await blocks({ limit: 4, offset: 10 })).toEqual([30, 119, 118, 117, 116]);
    expect(await blocks({ limit: 3, offset: 1, chains: ['bnb'] })).toEqual([15, 126, 124, 122]);
    expect(await blocks({ limit: 3, offset: 29 })).toEqual([30, 100]);
  });

  test('behavior: an id is of the branch: the same claim in another block has another one', async () => {
    const who = hex(0xd1);
    const idIn = async (block: number) => {
      await reads.db.deleteFrom('withdrawal').where('account', '=', who).execute();
      await reads.db
        .insertInto('withdrawal')
        .values(claim({ account: who, block_hash: hex(block, 32) }))
        .execute();
      return (await claimsOf({}, callerWith(who))).claims[0]?.id;
    };
    const id = await idIn(50);
    expect(await idIn(51)).not.toBe(id);
    expect(await idIn(50)).toBe(id);
  });

  test.each([
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { offset: -1 },
    { offset: 10_001 },
    { limit: '5' },
    { chains: 'bnb' },
  ])('error: R7 bounds and words are checked: %j', async (body) => {
    await expect(claimsOf(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
