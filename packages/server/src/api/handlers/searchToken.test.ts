import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDraft, addToken, ask, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { findToken, requireToken } from '../tokens/tokenRef.ts';

const fox = tokenRow('base-sepolia', hex(0xf0), { holders: 2 });
const foxToo = tokenRow('bnb', hex(0xf1), { holders: 9, name: 'Fox Too' });
const percent = tokenRow('bnb', hex(0xf3), { name: '100% Fun_ny', symbol: 'FUN' });
const owl = tokenRow('base-sepolia', hex(0xf2), {
  name: 'Great Owl',
  symbol: 'OWL',
  graduated_at: new Date('2026-01-02T00:00:00Z'),
  pool_id: hex(0x99, 32),
  sqrt_price_x96: 1n << 96n,
  last_trade_at: new Date('2026-01-03T00:00:00Z'),
  graduation: JSON.stringify({
    txHash: hex(0x77, 32),
    blockNumber: 44,
    logIndex: 3,
    sqrtPriceX96: ((1n << 96n) / 10n ** 7n).toString(),
    tick: 0,
    fullRange: { tickLower: 0, tickUpper: 0, liquidity: '1' },
    floor: { tickLower: 0, tickUpper: 0, liquidity: '1' },
    usdLocked: '1',
    tokensLocked: '1',
    floorUsd: '0',
    creatorReward: '0',
    dustUsd: '0',
    dustTokens: '0',
  }) as never,
});
/** One that was made here, and one that was not: its letters are decomposed. */
const made = tokenRow('base-sepolia', hex(0xca), { name: 'Café Noir', symbol: 'CAFÉN' });
const strange = tokenRow('base-sepolia', hex(0xcb), { name: 'Cafe\u0301 Noir', symbol: 'CAFE\u0301N' });
/** Prepared, never mined. */
const draftOnly = tokenRow('base-sepolia', hex(0xf9), { name: 'Ghost' });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await addToken(reads.db, fox, 'red-fox');
  await addDraft(reads.db, fox, 'red-fox');
  await addToken(reads.db, foxToo, 'fox-too');
  await addToken(reads.db, owl, 'great-owl');
  await addToken(reads.db, percent, '100-fun-ny');
  await addToken(reads.db, made, 'cafe-noir');
  await addToken(reads.db, strange, 'cafe-noir-2');
  await addDraft(reads.db, draftOnly, 'ghost');
  await reads.db.insertInto('token_slug').values({ slug: 'ghost', token_id: draftOnly.token_id }).execute();
});
afterAll(() => reads?.stop());

const search = (input: unknown) => ask(reads.context, 'searchToken', { input }, null);
const idOf = async (input: string) => (await search(input)).token?.id;

describe('searchToken', () => {
  test.each([
    ['id', fox.token_id],
    ['id in capitals', fox.token_id.toUpperCase()],
    ['platform id', fox.platform_id],
    ['contract address in any case', fox.address.toUpperCase().replace('0X', '0x')],
    ['slug with spaces around', ' red-fox '],
    ['whole name', 'red fox'],
    ['start of the name', 'red'],
    ['part of the name', 'd fo'],
  ])('default: finds a token by its %s', async (_what, input) => {
    expect(await idOf(input)).toBe(fox.token_id);
  });

  test.each(['Café Noir', 'Cafe\u0301 Noir', 'cafe\u0301 n', 'CAFÉN', '$cafén', '#CAFE\u0301N', 'afe\u0301 no'])(
    'behavior: %j finds names in any normal form, and a ticker with its sign',
    async (input) => {
      const found = [made.token_id, strange.token_id];
      expect(found).toContain(await idOf(input));
      await reads.db.updateTable('token').set({ holders: 9 }).where('token_id', '=', strange.token_id).execute();
      expect(await idOf(input)).toBe(strange.token_id);
      await reads.db.updateTable('token').set({ holders: 0 }).where('token_id', '=', strange.token_id).execute();
      const { tokens } = await ask(reads.context, 'getTokensV2', { keyword: input }, null);
      expect(tokens.map((token: { id: string }) => token.id).toSorted()).toEqual(found.toSorted());
    },
  );

  test('default: everything about the token, unknown as null', async () => {
    const { success, token } = await search('red-fox');
    expect(success).toBe(true);
    expect(token).toMatchObject({
      id: fox.token_id,
      token_id: fox.token_id,
      external_id: null,
      platform_id: fox.platform_id,
      acme_pad_id: fox.platform_id,
      name: 'Red Fox',
      symbol: 'FOX',
      slug: 'red-fox',
      description: 'A fox that is red.',
      banner_url: null,
      graduated: false,
      graduated_at: null,
      origin_chain: 'base-sepolia',
      origin_endpoint_id: 40245,
      builder_code: null,
      primary_evm_address: fox.address,
      primary_solana_address: null,
      token_address_count: 3,
      registered_chain_count: 1,
      dex_pool_count: 0,
      dex_pools: [],
      holders_count: fox.holders,
      price_usd: expect.any(Number),
      market_cap: expect.any(Number),
    });
    expect(token?.token_addresses.map((row) => [row.chain, row.is_registered, row.address, row.address_type])).toEqual([
      ['base-sepolia', true, fox.address, 'evm'],
      ['solana', false, '', 'sol'],
      ['bnb', false, fox.address, 'evm'],
    ]);
    expect(token?.registered_chains).toMatchObject([{ chain: 'base-sepolia', is_origin_chain: true }]);
  });

  test('behavior: a graduated token shows its pool', async () => {
    const { token } = await search('OWL');
    expect(token).toMatchObject({ graduated: true, description: null, updated_at: '2026-01-03T00:00:00.000Z' });
    expect(token?.dex_pools).toEqual([
      {
        chain: 'base-sepolia',
        dex: 'uniswap_v4',
        contract_address: `0x${'4b'.repeat(20)}`,
        pool_address: owl.pool_id,
        token_address: owl.address,
        token_a_address: owl.address,
        token_b_address: reads.context.chains.get('base-sepolia')?.deployment.usd,
        platform_id: owl.platform_id,
        acme_pad_id: owl.platform_id,
        token_a_platform_id: owl.platform_id,
        token_a_acme_pad_id: owl.platform_id,
        token_b_platform_id: null,
        token_b_acme_pad_id: null,
        fee: '100',
        initial_price: expect.stringMatching(/^0\.0(09999|1)/),
        tx_hash: hex(0x77, 32),
        evt_block_number: 44,
        evt_index: 3,
        evt_block_time: '2026-01-02T00:00:00.000Z',
      },
    ]);
  });

  test('behavior: among equal symbols the token with most holders wins', async () => {
    expect(await idOf('fox')).toBe(foxToo.token_id);
  });

  test('behavior: R7 wildcards are plain characters, quotes stay text', async () => {
    expect(await idOf('100%')).toBe(percent.token_id);
    expect(await idOf('n_n')).toBe(percent.token_id);
    for (const hostile of ['%%', '__', '\\%', "' or 1=1 --", 'a'.repeat(128)]) {
      expect(await search(hostile)).toMatchObject({ success: false, token: null, error: expect.any(String) });
    }
  });

  test('behavior: a draft is not found, nor is nothing: 200 with success false', async () => {
    for (const input of ['ghost', draftOnly.token_id, hex(0x1234), hex(1, 32), 'x']) {
      expect(await search(input)).toMatchObject({ success: false, token: null });
    }
  });

  test.each([[''], ['   '], [null], [5], ['a'.repeat(129)]])('error: the input is checked: %j', async (input) => {
    await expect(search(input)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});

describe('findToken', () => {
  test('behavior: a reference is its id, platform id, address or slug, never a symbol', async () => {
    expect((await findToken(reads.db, 'great-owl'))?.token_id).toBe(owl.token_id);
    expect(await findToken(reads.db, 'OWL')).toBeNull();
    // An id with another token's tail is nobody's.
    expect(
      await findToken(reads.db, `${owl.platform_id.slice(0, -1)}${owl.platform_id.endsWith('0') ? '1' : '0'}`),
    ).toBeNull();
  });

  test('error: requireToken', async () => {
    await expect(requireToken(reads.context, 'nobody')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
