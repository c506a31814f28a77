import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDraft, addToken, ask, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { listTokens, type TokenFilter, type TokenOrder } from './listTokens.ts';
import { planSearch, type SearchBounds, searchWarnings } from './searchPage.ts';

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
});
afterAll(() => reads?.stop());

/** Tokens of the chain in a row; the newest has the most holders. */
const addMany = (count: number, name: string, from: number): Promise<unknown> =>
  sql`insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
      block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18, holders)
    select 40245, '0x' || lpad(to_hex(n), 40, '0'), md5(n::text)::uuid, '0x' || md5(n::text) || md5(n::text), '0x', 7,
      ${name} || ' ' || n, 'MANY', '', '0x', '2026-01-01'::timestamptz + n * interval '1 minute', 1, n, '0x', 1, 1, 1, 1, n
    from generate_series(${from}::int, ${from + count - 1}::int) n`.execute(reads.db);

describe('a row of the search', () => {
  const words = async (tokenId: string) =>
    (
      await sql<{
        words: string;
        labels: string[];
      }>`select words, labels from token_search where token_id = ${tokenId}`.execute(reads.db)
    ).rows[0];

  test('behavior: comes with the token, changes with its draft and goes with the token', async () => {
    const row = tokenRow('base', hex(0xa1), { name: 'CAFE\u0301', symbol: 'Ä' });
    await addDraft(reads.db, row, 'cafe', { description: 'Early', tags: [], builder: null });
    expect(await words(row.token_id)).toBeUndefined();
    await addToken(reads.db, row, 'cafe');
    expect(await words(row.token_id)).toEqual({ words: 'caf\u00e9\u0001ä\u0001early', labels: ['c30184'] });
    await reads.db
      .updateTable('token_draft')
      .set({ description: 'Late', tags: ['x'] })
      .where('token_id', '=', row.token_id)
      .execute();
    expect(await words(row.token_id)).toEqual({ words: 'caf\u00e9\u0001ä\u0001late', labels: ['c30184', 'tx'] });
    await reads.db.deleteFrom('token').where('token_id', '=', row.token_id).execute();
    expect(await words(row.token_id)).toBeUndefined();
  });

  test.each(['café', 'CAFE\u0301', 'af\u00c9', 'é', 'fé'])(
    'behavior: is found by any normal form and case: %j',
    async (keyword) => {
      const row = tokenRow('base', hex(0xa2), { name: 'Cafe\u0301', symbol: 'CUP' });
      await addToken(reads.db, row, 'cup').catch(() => undefined);
      const { tokens } = await ask(reads.context, 'getTokensV2', { keyword }, null);
      expect(tokens.map(({ symbol }) => symbol)).toEqual(['CUP']);
    },
  );
});

describe('searchPage', () => {
  const bounds: SearchBounds = { candidates: 20, matches: 10, walked: 30, sampled: 400 };
  beforeAll(async () => {
    await addMany(200, 'Common Fox', 1_000);
    await addMany(8, 'Rare Quokka', 100); // of all tokens those with the fewest holders
    await sql`analyze token, token_search`.execute(reads.db);
  });
  const names = async (
    keyword: string,
    { limit = 5, offset = 0, order = 'holders' }: { limit?: number; offset?: number; order?: TokenOrder } = {},
    more: TokenFilter = {},
  ) => {
    const page = await listTokens(
      reads.context,
      { keyword, ...more },
      { order, ascending: false },
      { limit, offset },
      bounds,
    );
    const { rows } = await sql<{
      name: string;
    }>`select name from unnest(${page.listed.map(({ token }) => token)}::text[])
      with ordinality as of(address, at) join token using (address) order by at`.execute(reads.db);
    return { ...page, listed: rows.map(({ name }) => name.split(' ').at(-1)) };
  };

  test('default: R7 all tokens with a rare part, in order, wherever they are in it', async () => {
    expect(await names('quokka')).toEqual({
      listed: ['107', '106', '105', '104', '103'],
      hasMore: true,
      isWhole: true,
    });
    expect(await names('quokka', { offset: 5 })).toEqual({
      listed: ['102', '101', '100'],
      hasMore: false,
      isWhole: true,
    });
    expect(await names('qu')).toMatchObject({ listed: ['107', '106', '105', '104', '103'], isWhole: true });
    expect(await names('nowhere')).toEqual({ listed: [], hasMore: false, isWhole: true });
  });

  test('default: R7 the first of the order with a common text, exact as long as the page is full', async () => {
    expect(await names('fox')).toEqual({
      listed: ['1199', '1198', '1197', '1196', '1195'],
      hasMore: true,
      isWhole: true,
    });
    expect(await names('o', { offset: 10 })).toMatchObject({
      listed: ['1189', '1188', '1187', '1186', '1185'],
      isWhole: true,
    });
  });

  test('behavior: R7 says where the first of the order are not enough', async () => {
    expect(await names('common fox', { offset: 25 })).toMatchObject({
      listed: ['1174', '1173', '1172', '1171', '1170'],
      isWhole: false,
    });
    expect(await names('common fox', { offset: 30 })).toEqual({ listed: [], hasMore: false, isWhole: false });
    expect(searchWarnings(false).warnings).toMatchObject([{ code: 'SEARCH_LIMITED' }]);
    expect(searchWarnings(true)).toEqual({});
  });

  test('behavior: R7 a filter that few tokens pass makes any text cheap', async () => {
    await sql`insert into token_draft (token_id, eid, address, creator, pool_type, name, symbol, slug, description, token_uri, tags)
      select token_id, eid, address, creator, 'meme', name, symbol, 'many-' || log_index, '', '', array['few']
      from token where holders between 1000 and 1003`.execute(reads.db);
    const listed = ['1003', '1002', '1001', '1000'];
    expect(await names('o', {}, { hashtags: ['few'] })).toEqual({ listed, hasMore: false, isWhole: true });
    expect(await names('fox', {}, { hashtags: ['few'], chains: ['bnb'] })).toMatchObject({ listed: [] });
  });

  test('behavior: R7 a statement reads no more rows than the bounds say, for any text', async () => {
    const rowsRead = async (keyword: string): Promise<number> => {
      const { found, isFound } = await planSearch(reads.db, { keyword, named: null, labels: [] }, bounds);
      expect(isFound).toBeDefined();
      if (found === null) return 0;
      const { rows } = await sql`${found}`.execute(reads.db);
      return rows.length;
    };
    for (const keyword of ['o', 'fox', 'common', 'x 11', '%', '_', 'quokka', '猫', 'ox 1'])
      expect(await rowsRead(keyword), keyword).toBeLessThanOrEqual(2 * bounds.candidates);
  });
});
