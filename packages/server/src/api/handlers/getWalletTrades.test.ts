import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, hex, startReads, tokenRow, tradeRow } from '../../../test/api/reads/readsFixture.ts';

const trader = hex(0xa1);
const sender = hex(0xa2);
const router = hex(0xa3);
const fox = tokenRow('base-sepolia', hex(0xf0));
const elk = tokenRow('bnb', hex(0xf2), { name: 'Elk', symbol: 'ELK' });

const at = (second: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000);

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addToken(reads.db, elk, 'elk');
  await reads.db
    .insertInto('trade')
    .values([
      tradeRow(fox, 5, 1, { trader, time: at(5) }),
      tradeRow(fox, 7, 3, { trader, time: at(7), side: 'sell' }),
      tradeRow(fox, 7, 1, { trader, time: at(7) }),
      // A lower block number, but a later time.
      tradeRow(elk, 2, 0, { trader, time: at(6) }),
      tradeRow(fox, 8, 0, { trader: hex(0xbad), recipient: trader, time: at(8) }),
      tradeRow(fox, 9, 0, { trader: sender, recipient: router, venue: 'pool', foreign_router: true, time: at(9) }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const trades = async (body: object) =>
  (await ask(reads.context, 'getWalletTrades', { wallet: trader, ...body }, null)).activities;
const places = async (body: object) =>
  (await trades(body)).map((row) => [row.chain, row.evt_block_number, row.evt_index]);

describe('getWalletTrades', () => {
  test('default: over all chains, newest first, with the token; trades of others for the wallet are not its own', async () => {
    expect(await places({})).toEqual([
      ['base-sepolia', 7, 3],
      ['base-sepolia', 7, 1],
      ['bnb', 2, 0],
      ['base-sepolia', 5, 1],
    ]);
    expect((await trades({}))[2]).toMatchObject({
      platform_id: elk.platform_id,
      acme_pad_id: elk.platform_id,
      wallet: trader,
      trade_type: 'buy',
      venue: 'launchpad',
      usd_amount: '1.5',
      usd_amount_raw: '1500000000000000000',
      token: { id: elk.token_id, name: 'Elk', symbol: 'ELK', slug: 'elk', logo: null },
    });
  });

  test('H19 behavior: a swap by a foreign router names the router; one through us names none', async () => {
    expect(await trades({ wallet: sender })).toMatchObject([{ wallet: sender, venue: 'uniswap_v4', router }]);
    expect((await trades({})).map((row) => row.router)).toEqual([null, null, null, null]);
  });

  test('behavior: pages do not overlap; chains filter; the address is taken in any case', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => places({ limit: 1, offset })));
    expect(pages.flat()).toEqual(await places({}));
    expect(await places({ chains: ['bnb', 'nowhere'] })).toEqual([['bnb', 2, 0]]);
    expect(await places({ wallet: trader.replace('a1', 'A1') })).toHaveLength(4);
    expect(await places({ wallet: hex(0x99) })).toEqual([]);
  });

  test.each([{ wallet: 'me' }, { limit: 101 }, { offset: 10_001 }, { chains: ['x'.repeat(65)] }])(
    'error: R7 bounds are checked: %j',
    async (body) => {
      await expect(trades(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    },
  );
});
