import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import sharp from 'sharp';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { noLimits } from '../../../test/world/call.ts';
import { sweepLooseFiles } from '../media/looseFiles.ts';
import { skeletonOf } from '../people/skeleton.ts';

/** `CASES=1000` for a release. */
const parallel = Math.min(1_000, Number(process.env.CASES ?? 50));
const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * 60 * 60 * 1_000;

/** Of an address as this service gives it. */
const cidOf = (url: string): string => url.split('/').at(-1) as string;

const picture = async (width: number, height: number, red = 20): Promise<string> => {
  const background = { r: red, g: 90, b: 200, alpha: 1 };
  const bytes = await sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
};

describe('updateUser, getUser, checkUsername', () => {
  let api: TestApi;
  beforeAll(async () => {
    // Pictures may come from this machine.
    api = await testApi({ env: { RATE_LIMITS: noLimits }, media: { fetcher: { isAllowed: () => true } } });
  });
  afterAll(() => api?.stop());

  const update = ({ accessToken }: Pick<SignedIn, 'accessToken'>, body: object) =>
    api.call('updateUser', body, { bearer: accessToken });
  const get = (body: object, bearer?: string) => api.call('getUser', body, bearer === undefined ? {} : { bearer });
  const check = async (username: string) => {
    const { body } = await api.call('checkUsername', { username });
    return body.reason ?? (body.available ? 'free' : 'no reason');
  };

  it('default: a new user has an empty profile, found by id, by wallet, and without a name for it by the user alone', async () => {
    const { userId, address, accessToken } = await api.signIn();
    const nothing = {
      id: userId,
      username: null,
      display_name: null,
      profile_picture: null,
      address,
      bio: null,
      banner_url: null,
      links: {},
      created_at: expect.any(String),
      posts_count: 0,
      followers_count: 0,
      following_count: 0,
      is_following: false,
      is_followed_by: false,
      is_blocked: false,
      tokens_created_count: 0,
      total_earned_usd: '0',
    };
    expect((await get({ user_id: userId })).body).toEqual({ success: true, user: nothing });
    expect((await get({ address })).body.user).toEqual(nothing);
    const settings = { show_wallet: true, show_holdings: false };
    expect((await get({}, accessToken)).body.user).toEqual({ ...nothing, settings });
    expect((await get({ user_id: userId }, accessToken)).body.user).toEqual({ ...nothing, settings });
  });

  it('default: what is given changes, what is absent stays, and empty text removes', async () => {
    const user = await api.signIn();
    const links = { website: 'paper.example', telegram: 'https://t.me/boats' };
    const { body } = await update(user, { username: 'folder', display_name: ' Ana ', bio: 'Boats.\nOf paper.', links });
    const after = { username: 'folder', display_name: 'Ana', bio: 'Boats.\nOf paper.' };
    expect(body.user).toMatchObject({
      ...after,
      links: { website: 'https://paper.example/', telegram: links.telegram },
    });
    expect((await update(user, { bio: null })).body.user).toMatchObject(after);
    const removed = await update(user, { display_name: '', bio: '', links: {} });
    expect(removed.body.user).toMatchObject({ username: 'folder', display_name: null, bio: null, links: {} });
    expect((await get({ username: '@Folder' })).body.user.id).toBe(user.userId);
    const { body: me } = await api.call('me', {}, { bearer: user.accessToken });
    expect(me.data).toMatchObject({ userId: user.userId, username: 'folder' });
    expect(me.data).not.toHaveProperty('displayName');
  });

  it('default: pictures are cut, kept and removed', async () => {
    const user = await api.signIn();
    const { body } = await update(user, { profile_picture: await picture(900, 300), banner: await picture(900, 300) });
    const sizeOf = async (url: string) => {
      const { body: bytes } = await api.call('ipfs', { cid: url.split('/').at(-1) });
      const { width, height, format } = await sharp(bytes as Buffer).metadata();
      return [width, height, format];
    };
    expect(await sizeOf(body.user.profile_picture)).toEqual([512, 512, 'webp']);
    expect(await sizeOf(body.user.banner_url)).toEqual([900, 300, 'webp']);
    const { user: without } = (await update(user, { profile_picture: '' })).body;
    expect([without.profile_picture, without.banner_url]).toEqual([null, body.user.banner_url]);
  });

  it('behavior: a picture that is stored here is named by its address, and is cut anew', async () => {
    const [one, other] = [await api.signIn(), await api.signIn()];
    const { body } = await update(one, { banner: await picture(901, 300) });
    const source = `ipfs://${cidOf(body.user.banner_url)}`;
    const taken = (await update(other, { profile_picture: source, banner: source })).body.user;
    expect(taken.banner_url).not.toBeNull();
    expect(taken.profile_picture).not.toBe(taken.banner_url);
    const { body: bytes } = await api.call('ipfs', { cid: cidOf(taken.profile_picture) });
    expect((await sharp(bytes as Buffer).metadata()).width).toBe(512);
    const metadata = api.context.media.json({ no: 'picture' });
    await api.context.media.store([metadata]);
    for (const cid of [metadata.cid, 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi', '../etc']) {
      const refused = await update(other, { profile_picture: `ipfs://${cid}` });
      expect([refused.status, refused.body.code]).toEqual([400, 'MEDIA_INVALID']);
    }
  });

  it('behavior: what replaced pictures were is deleted when an hour is over, unless others refer to it', async () => {
    const { db, now } = api.context;
    const hourLater = () => sweepLooseFiles(db, now() + hourMs + 1);
    const [one, other] = [await api.signIn(), await api.signIn()];
    const isStored = async (url: string) => (await api.call('ipfs', { cid: cidOf(url) })).status === 200;
    const first = (await update(one, { profile_picture: await picture(700, 9, 30), banner: await picture(9, 701) }))
      .body.user;
    const shared = (await update(other, { banner: await picture(9, 701) })).body.user;
    expect(shared.banner_url).toBe(first.banner_url);
    await hourLater();
    const second = (await update(one, { profile_picture: await picture(9, 9, 120), banner: '' })).body.user;
    await sweepLooseFiles(db, now());
    expect(await isStored(first.profile_picture)).toBe(true);
    await hourLater();
    const urls = [first.profile_picture, first.banner_url, second.profile_picture];
    expect(await Promise.all(urls.map(isStored))).toEqual([false, true, true]);
    await update(other, { banner: null, bio: 'Kept.' });
    await hourLater();
    expect(await isStored(shared.banner_url)).toBe(true);
    await update(other, { banner: '' });
    await hourLater();
    expect(await isStored(shared.banner_url)).toBe(false);
  });

  it('error: where the name is refused no picture is fetched, decoded or stored', async () => {
    const asked: string[] = [];
    const host = createServer(patientServer, (request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await once(host.listen(0, '127.0.0.1'), 'listening');
    const { port } = host.address() as AddressInfo;
    const [owner, wanting, changing] = [await api.signIn(), await api.signIn(), await api.signIn()];
    await update(owner, { username: 'carpenter' });
    await update(changing, { username: 'gardener' });
    const pictures = { profile_picture: `http://127.0.0.1:${port}/a.png`, banner: 'data:image/png;base64,AAAA' };
    for (const [user, username, code] of [
      [wanting, 'carpenter', 'USERNAME_TAKEN'],
      [wanting, 'support', 'USERNAME_RESERVED'],
      [changing, 'gardener_2', 'USERNAME_COOLDOWN'],
    ] as const)
      expect((await update(user, { username, ...pictures })).body.code).toBe(code);
    expect(asked).toEqual([]);
    host.close();
  });

  it('behavior: of a person, texts are composed, lines end alike, and links lead to https', async () => {
    const user = await api.signIn();
    const { body } = await update(user, {
      display_name: 'Zoe\u0308',
      bio: 'a\r\nb',
      links: { website: 'zoe.example' },
    });
    expect(body.user).toMatchObject({ display_name: 'Zoë', bio: 'a\nb', links: { website: 'https://zoe.example/' } });
  });

  it('behavior: a wallet that its user hides is shown to the user alone', async () => {
    const user = await api.signIn();
    const own = await update(user, { settings: { show_wallet: false } });
    expect(own.body.user).toMatchObject({
      address: user.address,
      settings: { show_wallet: false, show_holdings: false },
    });
    const hidden = { address: null, tokens_created_count: null, total_earned_usd: null };
    expect((await get({ user_id: user.userId })).body.user).toMatchObject(hidden);
    const other = (await api.signIn()).accessToken;
    expect((await get({ user_id: user.userId }, other)).body.user.address).toBeNull();
    expect((await get({ address: user.address }, other)).body.code).toBe('USER_NOT_FOUND');
    expect((await get({ address: user.address }, user.accessToken)).body.user.id).toBe(user.userId);
  });

  it.each([
    ['_ and none', 'paper_boat', 'paperboat', 'taken'],
    ['1 and l', 'lighthouse', '1ighthouse', 'taken'],
    ['rn and m', 'mountain', 'rnountain', 'taken'],
    ['0 and o', 'robots', 'r0b0ts', 'taken'],
  ])('behavior: %s look alike: %s is one with %s', async (_, name, like, reason) => {
    expect(await check(like)).toBe('free');
    expect((await update(await api.signIn(), { username: name })).status).toBe(200);
    expect(await check(like)).toBe(reason);
    const { status, body } = await update(await api.signIn(), { username: like });
    expect([status, body.code]).toEqual([409, 'USERNAME_TAKEN']);
  });

  it.each(['admin', 'adrnin', 'rnintage', 'support', 'mintage', 'of_ficial', 'mintage_help', '___'])(
    'error: %s could be taken for the service',
    async (username) => {
      expect(await check(username)).toBe('reserved');
      const { status, body } = await update(await api.signIn(), { username });
      expect([status, body.code]).toEqual([400, 'USERNAME_RESERVED']);
    },
  );

  it.each([
    'ＳＵＰＰＯＲＴ',
    'ѕuрроrt',
    '𝖒𝖎𝖓𝖙𝖆𝖌𝖊',
    'Mínt age',
    'Μintage',
    'АDМІN',
    'ADMlN',
    'm.i.n.t.a.g.e',
    'Mintage ✓',
  ])('error: nor may it be shown as %s', async (display_name) => {
    const { status, body } = await update(await api.signIn(), { display_name });
    expect([status, body.code]).toEqual([400, 'USERNAME_RESERVED']);
  });

  it.each(['Supp\u200dort', '\u0301\u0301', '\u2800'])(
    'error: nor what hides or shows nothing, %j',
    async (display_name) => {
      const { status, body } = await update(await api.signIn(), { display_name });
      expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    },
  );

  it.each(['ab', 'a'.repeat(21), 'Alice', 'a.b.c', 'аlice', 'a b'])('error: %s is no username', async (username) => {
    expect(await check(username)).toBe('invalid');
    const { status, body } = await update(await api.signIn(), { username });
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });

  it.each([
    { display_name: 'a'.repeat(41) },
    { display_name: 'two\nlines' },
    { bio: 'a'.repeat(281) },
    { display_name: 'left\u200eright' },
    { display_name: 'two\u2028lines' },
    { bio: 'turned \u202e round' },
    { bio: 'a\ttab' },
    { links: { website: 'http://a.example' } },
    { links: { website: 'https://bank.example@a.example' } },
    { links: { website: 'javascript:alert(1)' } },
    { profile_picture: 'data:image/png;base64,AAAA' },
    { settings: { show_wallet: 'yes' } },
  ])('error: %o changes nothing', async (change) => {
    const user = await api.signIn();
    const { status } = await update(user, { username: `user_${user.userId.slice(0, 8)}`, ...change });
    expect(status).toBe(400);
    expect((await get({}, user.accessToken)).body.user).toMatchObject({ username: null, bio: null, links: {} });
  });

  it('behavior: a name changes once in 30 days, the first one at any time, and is free for others then', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const user = await api.signIn(account);
    await update(user, { username: 'first_name' });
    expect((await update(user, { username: 'first_name', bio: 'Same name.' })).status).toBe(200);
    const { status, body } = await update(user, { username: 'second_name' });
    const from = new Date(api.clock.ms + 30 * dayMs).toISOString();
    expect([status, body.code, body.details]).toEqual([403, 'USERNAME_COOLDOWN', { from }]);
    const before = api.clock.ms;
    api.clock.ms += 30 * dayMs;
    expect((await update(await api.signIn(account), { username: 'second_name' })).status).toBe(200);
    expect([await check('first_name'), await check('second_name')]).toEqual(['free', 'taken']);
    api.clock.ms = before;
  });

  it(`behavior: of ${parallel} who want one name or one like it, one gets it`, async () => {
    const users = await Promise.all(Array.from({ length: parallel }, () => api.signIn()));
    const names = ['harbour_1', 'harbour_l', 'harbourl', 'har_bour_1'];
    const answers = await Promise.all(users.map((user, i) => update(user, { username: names[i % 4] as string })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code ?? 'taken by one'))).toEqual(
      new Set(['taken by one', 'USERNAME_TAKEN']),
    );
  });

  it('error: a credential without the scope social, or none, changes nothing', async () => {
    const { accessToken } = await api.signIn();
    const scopes = ['read', 'prepare', 'execute'];
    const { body: key } = await api.call('createApiKey', { name: 'trader', scopes }, { bearer: accessToken });
    const refused = await api.call('updateUser', { bio: 'No.' }, { bearer: key.key });
    expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
    const anonymous = await api.call('updateUser', { bio: 'No.' });
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
    await update({ accessToken }, { settings: { show_wallet: false } });
    const { body: social } = await api.call('createApiKey', { name: 'a', scopes: ['social'] }, { bearer: accessToken });
    expect((await api.call('updateUser', { bio: 'Yes.' }, { bearer: social.key })).status).toBe(200);
    expect((await get({}, social.key)).status).toBe(401);
    const { address } = await api.signIn();
    expect((await get({ address }, social.key)).body.user).not.toHaveProperty('settings');
  });

  it('behavior: as an action it takes pictures too; a large action of no known kind is refused as such', async () => {
    const { accessToken: bearer } = await api.signIn();
    const envelope = { source: 'Testnet', expiresAfter: 60_000 };
    const large = 'x'.repeat(300_000);
    for (const type of [{ toString: 1 }, 'nothing']) {
      const refused = await api.call('platformAction', { ...envelope, action: { type, large } }, { bearer });
      expect([refused.status, refused.body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE']);
    }
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 400, height: 400, channels: 3, background: 'white', noise } as const;
    const drawn = (await sharp({ create }).png().toBuffer()).toString('base64');
    expect(drawn.length).toBeGreaterThan(300_000);
    const action = { type: 'updateUser', profile_picture: `data:image/png;base64,${drawn}` };
    const { status, body } = await api.call('platformAction', { ...envelope, action }, { bearer });
    expect([status, body.actionType, body.error]).toEqual([200, 'updateUser', undefined]);
  });

  it.each([
    [{ user_id: '00000000-0000-4000-8000-000000000000' }, 404, 'USER_NOT_FOUND'],
    [{ username: 'nobody_at_all' }, 404, 'USER_NOT_FOUND'],
    [{ address: `0x${'9'.repeat(40)}` }, 404, 'USER_NOT_FOUND'],
    [{ username: 'alice\u200f' }, 400, 'INVALID_PARAMETERS'],
    [{ username: 'a', address: `0x${'9'.repeat(40)}` }, 400, 'INVALID_PARAMETERS'],
    [{}, 401, 'AUTHENTICATION_FAILED'],
  ])('error: getUser of %o', async (asked, status, code) => {
    const answer = await get(asked);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('default: a picture is drawn for whoever has none, always the same one', async () => {
    const { userId, address } = await api.signIn();
    const drawn = async (whose: string) => {
      const { status, body, headers } = await api.call('avatar', { whose: `${whose}.svg` });
      expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
        200,
        'image/svg+xml',
        'nosniff',
      ]);
      expect((await sharp(Buffer.from(body as string)).metadata()).format).toBe('svg');
      return String(body);
    };
    expect(await drawn(userId)).toBe(await drawn(userId.toUpperCase()));
    expect(await drawn(userId)).not.toBe(await drawn(address));
    expect((await api.call('avatar', { whose: 'a"b.svg' })).status).toBe(400);
  });
});

describe('skeletonOf', () => {
  it.each([
    ['paypal', 'раураl'],
    ['alice', 'Al\u200bice'],
    ['zoe', 'Zoë'],
    ['mint', 'ｍｉｎｔ'],
    ['a b', 'a_b'],
  ])('%s and %s are one', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  it('default: names that differ stay apart', () => {
    expect(new Set(['alice', 'alicia', 'bob', 'b0b1', '日本', 'привет'].map(skeletonOf)).size).toBe(6);
  });
});
