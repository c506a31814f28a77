import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDraft, addToken, ask, hex, startReads, tokenRow, windowRow } from '../../../test/api/reads/readsFixture.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const pct = (percent: number) => BigInt(percent) * 10n ** 18n;

const fox = tokenRow('base-sepolia', hex(0xf0), {
  created_at: at(1),
  trades: 5,
  holders: 3,
  price_usd18: 2n * 10n ** 13n,
  progress_pct18: pct(80),
  stage: 'graduating',
  virtual_tokens: 525_000_000n * 10n ** 18n,
  virtual_usd: 26_785_714_286n,
});
const owl = tokenRow('bnb', hex(0xf1), {
  name: 'Great Owl',
  symbol: 'OWL',
  uri: 'https://elsewhere.example/owl.json',
  created_at: at(2),
  trades: 9,
  holders: 3,
  price_usd18: 9n * 10n ** 13n,
  progress_pct18: pct(100),
  stage: 'graduated',
  graduated_at: at(9),
});
const elk = tokenRow('base-sepolia', hex(0xf2), {
  name: 'Old Elk',
  symbol: 'ELK',
  created_at: at(3),
  trades: 1,
  holders: 8,
  progress_pct18: pct(76),
  stage: 'graduating',
});
const yak = tokenRow('base', hex(0xf3), {
  name: '50%_Yak',
  symbol: 'YAK',
  created_at: at(4),
  stage: 'graduated',
  graduated_at: at(8),
  progress_pct18: pct(100),
});
const ant = tokenRow('base', hex(0xf4), { name: 'Little One', symbol: 'ANT', created_at: at(5) });
/** Prepared, never mined. */
const ghost = tokenRow('base', hex(0xf9), { name: 'Ghost' });
const builder = `0x${'ab'.repeat(20)}` as const;

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  const { db } = reads;
  await addToken(db, fox, 'red-fox');
  await addDraft(db, fox, 'red-fox', {
    tags: ['meme', 'animal'],
    builder,
    links: JSON.stringify({ website: 'https://fox.example/', twitter: 'https://x.example/fox' }),
    created_at: at(1),
  });
  await addToken(db, owl, 'great-owl');
  await addToken(db, elk, 'old-elk');
  await addDraft(db, elk, 'old-elk', { tags: ['animal'], description: 'Forest dweller, 100% calm.' });
  await addToken(db, yak, 'yak');
  await addToken(db, ant, 'ant');
  await addDraft(db, ghost, 'ghost', { tags: ['meme'], builder });
  const window = (token: typeof fox, priceThen: bigint, volumes: Record<'1m' | '5m' | '1h' | '24h', bigint>) =>
    windowRow(token, {
      ...Object.fromEntries(Object.entries(volumes).map(([name, usd]) => [`volume_usd18_${name}`, usd * 10n ** 18n])),
      price_then_usd18_24h: priceThen,
      price_change_usd18_24h: token.price_usd18 - priceThen,
    });
  await db
    .insertInto('token_window')
    .values([
      window(fox, 25n * 10n ** 12n, { '1m': 1n, '5m': 40n, '1h': 60n, '24h': 99n }),
      window(owl, 45n * 10n ** 12n, { '1m': 2n, '5m': 30n, '1h': 70n, '24h': 500n }),
      window(elk, 10n ** 12n, { '1m': 0n, '5m': 0n, '1h': 70n, '24h': 0n }),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const list = (body: object) => ask(reads.context, 'getTokensV2', body, null);
const symbols = async (body: object) => (await list(body)).tokens.map((token) => token.symbol);

describe('getTokensV2', () => {
  test('default: newest first, and everything about a token', async () => {
    const { success, tokens, pagination } = await list({});
    expect(success).toBe(true);
    expect(tokens.map((token) => token.symbol)).toEqual(['ANT', 'YAK', 'ELK', 'OWL', 'FOX']);
    expect(pagination).toEqual({ limit: 20, offset: 0, total_returned: 5, has_more: false });
    const { token_addresses: addresses, ...shown } = tokens[4] as (typeof tokens)[number];
    expect(addresses.map(({ chain, is_registered }) => [chain, is_registered])).toEqual([
      ['base-sepolia', true],
      ['solana', false],
      ['bnb', false],
    ]);
    expect(shown).toEqual({
      id: fox.token_id,
      name: 'Red Fox',
      symbol: 'FOX',
      slug: 'red-fox',
      logo: 'http://127.0.0.1/fox.webp',
      banner_url: null,
      video_url: null,
      website_url: 'https://fox.example/',
      twitter_url: 'https://x.example/fox',
      github_url: null,
      metadata: { links: { website: 'https://fox.example/', twitter: 'https://x.example/fox' } },
      description: 'A fox that is red.',
      acme_pad_id: fox.platform_id,
      platform_id: fox.platform_id,
      created_at: '2026-01-01T00:00:00.000Z',
      holders_count: 3,
      trx: 5,
      market_cap: 20_000,
      price: 0.00002,
      volume_1m: 1,
      volume_5m: 40,
      volume_1h: 60,
      volume_24h: 99,
      price_change_24h: -0.000005,
      price_change_24h_percent: -20,
      launchpad_supply: 600_000_000,
      launchpad_tokens_left: 150_000_000,
      launchpad_progress_pct: 80,
      launchpad_raised_usd: 14_285.714285,
      launchpad_target_usd: 25_000,
      graduated_at: null,
      stage: 'graduating',
      token_uri: 'ipfs://x',
      hashtags: ['meme', 'animal'],
      indexer_metadata: {
        token_uri: 'ipfs://x',
        resolved_metadata_url: 'https://api.example/functions/v1/ipfs/x',
        image_url: 'http://127.0.0.1/fox.webp',
        image_storage_path: null,
        image_storage_url: 'http://127.0.0.1/fox.webp',
        banner_url: null,
        name: 'Red Fox',
        symbol: 'FOX',
        description: 'A fox that is red.',
        created_on: 'https://app.example',
        acme_pad_id: fox.platform_id,
        platform_id: fox.platform_id,
        token: fox.address,
        website: 'https://fox.example/',
        twitter_url: 'https://x.example/fox',
        discord_url: null,
        telegram_url: null,
        farcaster_url: null,
        github_url: null,
        hashtags: ['meme', 'animal'],
        fetched_at: '2026-01-01T00:00:00.000Z',
        immutable: true,
        addresses: { evm: fox.address, solana: '' },
        socials: { website: 'https://fox.example/', twitter: 'https://x.example/fox' },
      },
    });
  });

  test('behavior: token_ids are the only ones listed, in the order asked for; unknown ids are left out', async () => {
    const unknown = '00000000-0000-4000-8000-000000000009';
    const listed = async (token_ids: string[]) =>
      (await list({ token_ids, order_by: 'created_at' })).tokens.map((token) => token.symbol);
    expect(await listed([fox.token_id, unknown, yak.token_id])).toEqual(['YAK', 'FOX']);
    expect(await listed([])).toEqual([]);
  });

  test('behavior: a keyword that is a contract address finds its token, in any case', async () => {
    const byAddress = async (keyword: string) => (await list({ keyword })).tokens.map((token) => token.symbol);
    expect(await byAddress(fox.address.toUpperCase().replace('X', 'x'))).toEqual(['FOX']);
    expect(await byAddress(hex(0xee))).toEqual([]);
  });

  test('behavior: when a token graduated, and all that its curve raised', async () => {
    const { tokens } = await list({ stage: 'graduated', order_by: 'created_at' });
    expect(tokens.map((token) => [token.symbol, token.graduated_at])).toEqual([
      ['YAK', at(8).toISOString()],
      ['OWL', at(9).toISOString()],
    ]);
  });

  test('L9 behavior: price_change_24h orders by the change in USD, not in percent', async () => {
    const changes = (await list({ order_by: 'price_change_24h' })).tokens.map((token) => token.price_change_24h);
    expect(changes).toEqual([0.000045, 0.000009, -0.000005]);
  });

  test('L11 behavior: the links of a card stand on the row, and are empty for a token from elsewhere', async () => {
    const { tokens } = await list({ keyword: 'ant' });
    expect(tokens[0]).toMatchObject({
      website_url: null,
      twitter_url: null,
      github_url: null,
      metadata: { links: {} },
    });
  });

  test('behavior: what is not known is null, never 0: windows of a chain that is read for the first time, metadata', async () => {
    const { tokens } = await list({ keyword: 'ant' });
    expect(tokens[0]).toMatchObject({
      volume_1m: null,
      volume_5m: null,
      volume_1h: null,
      volume_24h: null,
      price_change_24h: null,
      price_change_24h_percent: null,
      hashtags: [],
      description: null,
      logo: null,
      indexer_metadata: null,
      market_cap: 10_000,
      trx: 0,
      holders_count: 0,
    });
  });

  test.each([
    ['created_at', ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    ['market_cap', ['OWL', 'FOX', 'ELK', 'YAK', 'ANT']],
    ['trx', ['OWL', 'FOX', 'ELK', 'YAK', 'ANT']],
    ['holders', ['ELK', 'OWL', 'FOX', 'YAK', 'ANT']],
    ['volume_1m', ['OWL', 'FOX', 'ELK']],
    ['volume_5m', ['FOX', 'OWL', 'ELK']],
    ['volume_1h', ['OWL', 'ELK', 'FOX']],
    ['volume_24h', ['OWL', 'FOX', 'ELK']],
    ['price_change_24h', ['OWL', 'ELK', 'FOX']],
  ])('behavior: order by %s, both ways, and page by page without overlap', async (order_by, expected) => {
    const down = await symbols({ order_by });
    expect(down.toSorted()).toEqual(expected.toSorted());
    const ranks = (found: string[]) => found.map((symbol) => rank(order_by, symbol));
    expect(ranks(down)).toEqual(ranks(expected));
    expect(await symbols({ order_by, order_direction: 'ASC' })).toEqual(down.toReversed());
    const pages: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const { tokens, pagination } = await list({ order_by, limit: 2, offset });
      pages.push(...tokens.map((token) => token.symbol));
      expect(pagination).toEqual({
        limit: 2,
        offset,
        total_returned: tokens.length,
        has_more: pages.length < down.length,
      });
      if (!pagination.has_more) break;
    }
    expect(pages).toEqual(down);
  });

  /** Equal for tokens that tie. */
  const rank = (order: string, symbol: string): string => {
    const token = [fox, owl, elk, yak, ant].find((row) => row.symbol === symbol) as typeof fox;
    const ties: Record<string, unknown> = {
      market_cap: token.price_usd18,
      trx: token.trades ?? 0,
      holders: token.holders ?? 0,
      volume_1h: symbol === 'ELK' ? 'OWL' : symbol,
    };
    return String(ties[order] ?? symbol);
  };

  test.each([
    [{ stage: 'graduating' }, ['FOX', 'ELK']],
    [{ stage: 'graduating', order_direction: 'ASC' }, ['ELK', 'FOX']],
    [{ stage: 'graduated' }, ['OWL', 'YAK']],
    [{ stage: 'new' }, ['ANT']],
    [{ stage: 'graduating', order_by: 'created_at' }, ['ELK', 'FOX']],
    [{ stage: 'graduated', order_by: 'volume_24h' }, ['OWL']],
    [{ stage: null }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ hashtags: ['animal'] }, ['ELK', 'FOX']],
    [{ hashtags: ['animal', 'meme'] }, ['FOX']],
    [{ hashtags: ['animal', 'nothing'] }, []],
    [{ hashtags: [] }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ keyword: 'oWl' }, ['OWL']],
    [{ keyword: 'f' }, ['ELK', 'FOX']],
    [{ keyword: 'DWELLER' }, ['ELK']],
    [{ keyword: '%_' }, ['YAK']],
    [{ keyword: '0%' }, ['YAK', 'ELK']],
    [{ keyword: '' }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ keyword: owl.platform_id }, ['OWL']],
    [{ keyword: owl.platform_id.toUpperCase().replace('0X', '0x') }, ['OWL']],
    [{ keyword: owl.platform_id.slice(0, 20) }, []],
    [{ keyword: `${owl.platform_id.slice(0, -1)}${owl.platform_id.endsWith('0') ? '1' : '0'}` }, []],
    [{ keyword: "' or 1=1 --" }, []],
    [{ chains: ['bnb'] }, ['OWL']],
    [{ chains: ['bnb', 'base-sepolia'] }, ['ELK', 'OWL', 'FOX']],
    [{ chains: ['ethereum'] }, []],
    [{ chains: [] }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ builder_code: builder.toUpperCase().replace('0X', '0x') }, ['FOX']],
    [{ builder_code: hex(1) }, []],
    [{ verified_only: true, stage: 'new' }, ['ANT']],
    [
      { hashtags: ['animal'], keyword: 'fox', chains: ['base-sepolia'], builder_code: builder, order_by: 'trx' },
      ['FOX'],
    ],
    [{ offset: 4 }, ['FOX']],
    [{ offset: 10_000 }, []],
  ])('behavior: %j', async (body, expected) => {
    expect(await symbols(body)).toEqual(expected);
  });

  test('behavior: null counts as absent on every key', async () => {
    const keys = ['hashtags', 'keyword', 'chains', 'builder_code', 'stage', 'order_by', 'order_direction', 'limit'];
    const nulls = Object.fromEntries([...keys, 'offset', 'verified_only'].map((key) => [key, null]));
    expect(await list(nulls)).toEqual(await list({}));
  });

  test.each([
    [{ order_by: 'name' }, 'order_by'],
    [{ order_direction: 'asc' }, 'order_direction'],
    [{ stage: 'old' }, 'stage'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ offset: -1 }, 'offset'],
    [{ offset: 10_001 }, 'offset'],
    [{ chains: ['mars'] }, 'chains.0'],
    [{ builder_code: '0x1' }, 'builder_code'],
    [{ hashtags: 'meme' }, 'hashtags'],
    [{ keyword: 'a'.repeat(129) }, 'keyword'],
    [{ verified_only: 'yes' }, 'verified_only'],
  ])('error: R7 bounds and kinds are checked: %j', async (body, path) => {
    await expect(list(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path }] });
  });
});

const older = (body: object) => ask(reads.context, 'getTokens', body, null);

describe('getTokens', () => {
  test.each([
    [{ filter: 'new' }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ filter: 'top_posts' }, ['ANT', 'YAK', 'ELK', 'OWL', 'FOX']],
    [{ filter: 'popular', limit: 1 }, ['ELK']],
    [{ filter: 'trending', limit: 3, offset: 2 }, ['FOX']],
    [{ filter: 'new', hashtag_name: '#animal' }, ['ELK', 'FOX']],
    [
      { filter: 'new', hashtag_name: null, limit: null, offset: null, verified_only: null },
      ['ANT', 'YAK', 'ELK', 'OWL', 'FOX'],
    ],
  ])('default: %j', async (body, expected) => {
    const { tokens, pagination } = await older(body);
    expect(tokens.map((token) => token.symbol)).toEqual(expected);
    expect(pagination.total_returned).toBe(expected.length);
  });

  test('behavior: the total is of all pages', async () => {
    const totals = await Promise.all(
      [
        { filter: 'new', limit: 1 },
        { filter: 'new', offset: 4 },
        { filter: 'popular', hashtag_name: 'animal', limit: 1 },
      ].map(async (body) => (await older(body)).pagination.total),
    );
    expect(totals).toEqual([5, 5, 2]);
  });

  test('behavior: social counters are 0, the creator is known by wallet and, once signed in, by id and name', async () => {
    const userId = '00000000-0000-4000-8000-0000000000aa';
    await reads.db.insertInto('app_user').values({ user_id: userId }).execute();
    await reads.db.insertInto('user_wallet').values({ address: fox.creator, user_id: userId }).execute();
    const name = { skeleton: 'fox', username: 'fox', user_id: userId, taken_at: new Date() };
    await reads.db.insertInto('username').values(name).execute();
    const { tokens } = await older({ filter: 'new', hashtag_name: 'meme' });
    expect(tokens).toEqual([
      {
        id: fox.token_id,
        name: 'Red Fox',
        symbol: 'FOX',
        slug: 'red-fox',
        logo: 'http://127.0.0.1/fox.webp',
        banner_url: null,
        video_url: null,
        description: 'A fox that is red.',
        acme_pad_id: fox.platform_id,
        platform_id: fox.platform_id,
        contract_address: fox.address,
        created_at: '2026-01-01T00:00:00.000Z',
        launch_post_id: null,
        total_posts_count: 0,
        total_media_count: 0,
        groups_count: 0,
        holders_count: 3,
        upvotes: 0,
        downvotes: 0,
        weighted_upvotes: 0,
        weighted_downvotes: 0,
        user_vote: null,
        is_live: false,
        hashtags: ['meme', 'animal'],
        creator: { id: userId, username: 'fox', profile_picture: null, address: fox.creator },
      },
    ]);
  });

  test.each([
    [{}, 'filter'],
    [{ filter: 'best' }, 'filter'],
    [{ filter: 'new', limit: 101 }, 'limit'],
  ])('error: %j', async (body, path) => {
    await expect(older(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS', details: [{ path }] });
  });
});
