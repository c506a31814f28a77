import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDraft, addToken, hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import { tokenPreview } from '../reads/tokenPreview.ts';
import { requireToken } from '../tokens/tokenRef.ts';

const unit = 10n ** 18n;
const fox = tokenRow('base-sepolia', hex(0xf0), {
  virtual_tokens: (1_125_000_000n - 667_520_000n) * unit,
  price_usd18: 67_196n * 10n ** 9n,
});
const owl = tokenRow('base-sepolia', hex(0xf1), {
  name: '</text><script>alert(1)</script>',
  symbol: '"&<',
  graduated_at: new Date('2026-01-02T00:00:00Z'),
  price_usd18: 9n * 10n ** 18n,
});
const odd = tokenRow('base-sepolia', hex(0xf2), { name: 'Odd', pool_type: 99, price_usd18: 10n ** 5n });

describe('og', () => {
  let api: TestApi;
  beforeAll(async () => {
    const chain = testChain('base-sepolia', 'http://127.0.0.1:1');
    api = await testApi({ chains: [chain] });
    const { db, media } = api.context;
    const { eid, slug } = chain.chain;
    const { usd, usdDecimals, launchpad } = chain.deployment;
    const row = {
      eid,
      slug,
      usd,
      usd_decimals: usdDecimals,
      launchpad,
      treasury: hex(0x7e),
      indexed: 0,
      rolled_block: 0,
    };
    await db.insertInto('chain').values(row).execute();
    const red = sharp({ create: { width: 300, height: 300, channels: 3, background: '#c81e1e' } });
    const logo = await media.image(`data:image/png;base64,${(await red.png().toBuffer()).toString('base64')}`);
    await media.store([logo]);
    await addToken(db, fox, 'red-fox');
    await addDraft(db, fox, 'red-fox', { logo: logo.url });
    await addToken(db, owl, 'owl');
    await addDraft(db, owl, 'owl', { logo: `${logo.url.slice(0, -4)}aaaa` });
    await addToken(db, odd, 'odd');
  });
  afterAll(() => api?.stop());

  const ask = (token: string) => api.call('og', { token });
  /** The middle of the coin. */
  const middle = async (png: Buffer): Promise<number[]> => [
    ...(await sharp(png).extract({ left: 248, top: 262, width: 1, height: 1 }).raw().toBuffer()),
  ];

  it('default: a PNG with the token’s picture, kept for 60 seconds, for any site', async () => {
    const { status, body, headers } = await ask('red-fox.png');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(body).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630, channels: 3 });
    const [red, green, blue] = await middle(body);
    expect([red, green, blue].map((value, at) => Math.abs((value as number) - [200, 30, 30][at]!) < 8)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('default: by any name of the token, also at the root', async () => {
    const { body } = await ask('red-fox.png');
    for (const ref of [fox.token_id, fox.platform_id, fox.address, 'RED-FOX'])
      expect([ref, Buffer.compare((await ask(`${ref}.png`)).body, body)]).toEqual([ref, 0]);
    const root = await api.inject({ method: 'GET', url: '/og/red-fox.png' });
    expect(Buffer.compare(root.rawPayload, body)).toBe(0);
    const head = await api.inject({ method: 'HEAD', url: '/og/red-fox.png' });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, `${body.length}`]);
  });

  it('behavior: what changed is seen after 60 seconds', async () => {
    const { db } = api.context;
    const before = (await ask('red-fox.png')).body;
    await db.updateTable('token').set({ price_usd18: 1n }).where('token_id', '=', fox.token_id).execute();
    expect(Buffer.compare((await ask('red-fox.png')).body, before)).toBe(0);
    api.clock.ms += 61_000;
    expect(Buffer.compare((await ask('red-fox.png')).body, before)).not.toBe(0);
    await db.updateTable('token').set({ price_usd18: fox.price_usd18 }).where('token_id', '=', fox.token_id).execute();
  });

  it('M2 behavior: a hostile name and a picture that is gone: the coin with a letter', async () => {
    const { status, body } = await ask('owl.png');
    expect(status).toBe(200);
    expect(await sharp(body).metadata()).toMatchObject({ width: 1200, height: 630 });
    expect(body.includes('script')).toBe(false);
    const [red, , blue] = await middle(body);
    expect((red as number) - (blue as number)).toBeLessThan(20);
    expect((await ask('odd.png')).status).toBe(200);
  });

  it('default: the facts', async () => {
    const factsOf = async (ref: string) => tokenPreview(api.context, await requireToken(api.context, ref)).facts;
    expect(await factsOf('red-fox')).toEqual({
      name: 'Red Fox',
      symbol: 'FOX',
      chainName: 'Base Sepolia',
      marketCap: '$67,196',
      raised: 0.7295,
      graduated: false,
      progress: '73\u00a0% raised',
      platformName: 'Mintage',
      brandColor: null,
    });
    expect(await factsOf('owl')).toMatchObject({
      marketCap: '$9B',
      raised: 1,
      progress: 'Graduated, liquidity locked',
    });
    expect(await factsOf('odd')).toMatchObject({ marketCap: '$0.00', raised: null, progress: '' });
  });

  it('error: an unknown token, and what names no picture', async () => {
    const unknown = await ask('nobody.png');
    expect([unknown.status, unknown.body.code, unknown.headers['cache-control']]).toEqual([
      404,
      'NOT_FOUND',
      'no-store',
    ]);
    for (const token of ['red-fox', '.png', 'red-fox.svg'])
      expect([token, (await ask(token)).body.code]).toEqual([token, 'INVALID_PARAMETERS']);
  });
});
