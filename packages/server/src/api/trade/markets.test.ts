import { poolTypeBySlug } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { createMarkets } from './markets.ts';

const chains = [
  testChain('base-sepolia', 'http://127.0.0.1:1'),
  testChain('bnb', 'http://127.0.0.1:1', { usdDecimals: 18 }),
];
const [base, bnb] = chains as [(typeof chains)[0], (typeof chains)[0]];
const token = tokenRow('base-sepolia', hex(0x70), { created_at: new Date('2026-01-01T00:00:00Z') });
const likeBase58 = '9'.repeat(43);
const old = tokenRow('base-sepolia', hex(0x71), { name: likeBase58 });
const trader = hex(0xa1);

describe('createMarkets', () => {
  let api: TestApi;
  let failures: unknown[];
  beforeAll(async () => {
    failures = [];
    api = await testApi({ chains });
    for (const { chain, deployment } of chains)
      await api.context.db
        .insertInto('chain')
        .values({
          eid: chain.eid,
          slug: chain.slug,
          usd: deployment.usd,
          usd_decimals: deployment.usdDecimals,
          launchpad: deployment.launchpad,
          indexed: 100,
          indexed_hash: hex(0xb1, 32),
          indexed_time: new Date('2026-01-01T00:00:05Z'),
        })
        .execute();
    await addToken(api.context.db, token, 'red-fox');
    await addToken(api.context.db, old, likeBase58);
  });
  afterAll(() => api?.stop());

  /** Markets over a database that counts its queries. */
  const counted = () => {
    let queries = 0;
    const db = api.context.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const markets = createMarkets({ db, chains, onError: (error) => failures.push(error) });
    return { markets, queries: () => queries };
  };
  const indexPage = (patch: object) =>
    api.context.db
      .updateTable('chain')
      .set((row) => ({ version: row('version', '+', 1), ...patch }))
      .where('eid', '=', base.chain.eid)
      .execute();

  it('default: the index’s state with its block', async () => {
    const { markets } = counted();
    const market = await markets.require(base, 'Red-Fox ');
    expect(market).toMatchObject({
      source: 'index',
      poolType: poolTypeBySlug('meme'),
      block: { number: 100, hash: hex(0xb1, 32), time: Date.parse('2026-01-01T00:00:05Z') / 1000 },
      token: { tokenId: token.token_id, name: 'Red Fox', createdAt: Date.parse('2026-01-01T00:00:00Z') / 1000 },
      usd: { address: base.deployment.usd, symbol: 'USDC', decimals: 6 },
      curve: { virtualTokens: 10n ** 27n, virtualUsd: 10_000n * 10n ** 6n },
      pool: null,
    });
    expect(market.curve?.tokensLeft).toBe(625_000_000n * 10n ** 18n);
    expect(await markets.referrerOf(base, trader)).toBeNull();
  });

  it('behavior: a slug in the form of base58 names its token', async () => {
    const { markets } = counted();
    expect(await markets.require(base, likeBase58)).toMatchObject({ token: { address: old.address } });
    await expect(markets.require(bnb, likeBase58)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });

  it('behavior: no query per request while nothing changes', async () => {
    const { markets, queries } = counted();
    const ask = async () => {
      await markets.require(base, 'red-fox');
      await markets.referrerOf(base, trader);
    };
    await ask();
    const first = queries();
    for (let i = 0; i < 1_000; i += 1) await ask();
    // Only the background check of the versions, every 100 ms, may query.
    expect(queries() - first).toBeLessThan(50);
  });

  it('behavior: a new page, and an undo, change what is answered; a new referrer too', async () => {
    const { markets } = counted();
    await markets.require(base, 'red-fox');
    await markets.referrerOf(base, trader);
    await api.context.db
      .updateTable('token')
      .set({ virtual_tokens: 9n * 10n ** 26n })
      .execute();
    await api.context.db
      .insertInto('referrer')
      .values({ eid: base.chain.eid, trader, referrer: hex(0xee), block_number: 101, time: new Date() })
      .execute();
    await indexPage({ indexed: 101 });
    await markets.follow();
    expect(await markets.require(base, 'red-fox')).toMatchObject({
      block: { number: 101 },
      curve: { virtualTokens: 9n * 10n ** 26n },
    });
    expect(await markets.referrerOf(base, trader)).toBe(hex(0xee));
    await api.context.db.deleteFrom('token').execute();
    await indexPage({ indexed: 99 });
    await markets.follow();
    await expect(markets.require(base, 'red-fox')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await api.context.db.insertInto('token').values(token).execute();
    expect(await markets.require(base, token.token_id)).toMatchObject({ block: { number: 99 } });
  });

  it('behavior: a request after a pause waits for what the index holds now', async () => {
    const { markets } = counted();
    await markets.require(base, 'red-fox');
    await api.context.db.updateTable('token').set({ floor_usd: 77n }).execute();
    await indexPage({});
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await markets.require(base, 'red-fox')).floorUsd).toBe(77n);
  });

  it('behavior: who follows sees what was written before, also while an earlier look is on its way', async () => {
    let hold: Promise<void> | null = null;
    const db = api.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await hold;
        return result;
      },
    });
    const markets = createMarkets({ db, chains, onError: (error) => failures.push(error) });
    const before = (await markets.require(base, 'red-fox')).floorUsd;
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const earlier = markets.follow();
    await new Promise((done) => setTimeout(done, 50)); // its query has read the index, and its answer is held
    await api.context.db
      .updateTable('token')
      .set({ floor_usd: before + 1n })
      .execute();
    await indexPage({});
    const later = markets.follow();
    hold = null;
    resolve();
    await Promise.all([earlier, later]);
    expect((await markets.require(base, 'red-fox')).floorUsd).toBe(before + 1n);
  });

  it('error: a token of another chain, an unknown one', async () => {
    const { markets } = counted();
    for (const ref of ['red-fox', token.token_id, token.platform_id, token.address, 'blue-fox'])
      await expect(markets.require(bnb, ref)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    expect(failures).toEqual([]);
  });

  it('error: a chain that does not answer is told at once, its index still answers', async () => {
    const me = await api.signIn();
    const body = {
      tokenId: token.token_id,
      chainSlug: 'base-sepolia',
      direction: 'buy',
      buyAmountUSD: 5,
      userAddress: me.address,
    };
    const options = { bearer: me.accessToken };
    const live = await api.call('tradeToken', body, options);
    expect([live.status, live.body.code, live.body.success]).toEqual([503, 'NETWORK_ERROR', false]);
    const creation = {
      name: 'A',
      symbol: 'A',
      description: 'a',
      image: 'data:image/png;base64,AAAA',
      chainSlug: 'base-sepolia',
    };
    const create = await api.call('createTokenTransaction', { ...creation, userAddress: me.address }, options);
    expect([create.status, create.body.code]).toEqual([503, 'NETWORK_ERROR']);
    expect((await api.call('tradeToken', { ...body, simulate: false }, options)).status).toBe(200);
    expect(
      (await api.call('quoteToken', { tokenId: token.token_id, chainSlug: 'base-sepolia', direction: 'buy' })).status,
    ).toBe(200);
  });
});
