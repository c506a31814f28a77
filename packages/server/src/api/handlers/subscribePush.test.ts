import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { patientServer } from '@mintage/devnet/patientServer';
import { decrypt } from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { createPushKeys } from '../accounts/pushKey.ts';
import { createPusher, type Pusher } from '../notifications/push.ts';
import { tell } from '../notifications/tell.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let api: TestApi;
let service: Server;
let pusher: Pusher;
const received: Received[] = [];
/** What the push service answers, by path; 201 where nothing is said. */
const answers = new Map<string, number[]>();

beforeAll(async () => {
  // On this machine a push service may be reached over http.
  api = await testApi({ env: { DEVNET: '1' } });
  pusher = createPusher(api.context);
  service = createServer(patientServer, async (request, response) => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body: await buffer(request) });
    response.writeHead(answers.get(path)?.shift() ?? 201).end();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await pusher?.stop();
  service?.close();
  await api?.stop();
});

/** As a browser has it: where it is told, and what opens what it is told. */
const browser = (path: string) => {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}${path}`;
  const keys = { p256dh: own.getPublicKey('base64url'), auth };
  return {
    subscription: { endpoint, keys },
    read: (body: Buffer) =>
      JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: own, authSecret: auth }).toString()),
  };
};

const call = (name: Parameters<TestApi['call']>[0], { accessToken }: SignedIn, body: object) =>
  api.call(name, body, { bearer: accessToken });
const followed = async (user: SignedIn): Promise<string[]> => {
  const other = await api.signIn();
  expect((await call('followUser', other, { user_id: user.userId })).status).toBe(200);
  return (await tell(api.context)).news;
};
const endpointsOf = async ({ userId }: SignedIn) => {
  const rows = await api.context.db
    .selectFrom('push_subscription')
    .select('endpoint')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ endpoint }) => new URL(endpoint).pathname);
};

describe('subscribePush', () => {
  test('default: a browser is told once, in words that it alone can read, by a service that proves itself', async () => {
    const user = await api.signIn();
    const { subscription, read } = browser('/first');
    expect((await call('subscribePush', user, subscription)).body).toEqual({ success: true, subscribed: true });
    await pusher.push(await followed(user));
    await expect.poll(() => received.length).toBe(1);
    const [{ headers, body }] = received as [Received];
    expect(body.toString()).not.toContain('follows');
    const told = read(body);
    expect(told).toMatchObject({ type: 'follow', text: 'Somebody follows you.', post_id: null, token: null });
    expect(told.url).toBe(`${api.context.config.appUrl}/notifications`);
    expect(headers).toMatchObject({
      ttl: '86400',
      'content-encoding': 'aes128gcm',
      topic: told.id.replaceAll('-', ''),
    });

    const { push } = (await call('notificationSettings', user, {})).body;
    const [, proof = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
    expect(key).toBe(push.public_key);
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, 'ES256');
    const { origin } = new URL(subscription.endpoint);
    await jwtVerify(proof, publicKey, { audience: origin, currentDate: new Date(api.clock.ms) });
    // A notification that grows is no news to browsers.
    expect((await tell(api.context)).news).toEqual([]);
  });

  test('behavior: every browser of a user is told, the oldest of eleven goes, and one that changes hands tells its new owner alone', async () => {
    const [user, next] = [await api.signIn(), await api.signIn()];
    const browsers = Array.from({ length: 11 }, (_, nth) => browser(`/b${nth}`));
    for (const { subscription } of browsers) {
      api.clock.ms += 10_000;
      expect((await call('subscribePush', user, subscription)).status).toBe(200);
    }
    expect(await endpointsOf(user)).toEqual(browsers.slice(1).map((_, nth) => `/b${nth + 1}`));
    await call('subscribePush', next, (browsers[5] as (typeof browsers)[0]).subscription);
    expect([(await endpointsOf(user)).length, await endpointsOf(next)]).toEqual([9, ['/b5']]);
    const before = received.length;
    await pusher.push(await followed(user));
    await expect.poll(() => received.length).toBe(before + 9);
    expect(received.slice(before).map(({ path }) => path)).not.toContain('/b5');
  });

  test('behavior: one that its push service does not know any more is forgotten, and a busy service is asked again', async () => {
    const user = await api.signIn();
    for (const path of ['/gone', '/missing', '/busy']) await call('subscribePush', user, browser(path).subscription);
    answers.set('/gone', [410]);
    answers.set('/missing', [404]);
    answers.set('/busy', [503]);
    const before = received.length;
    await pusher.push(await followed(user));
    await expect.poll(() => received.length).toBe(before + 4);
    expect(await endpointsOf(user)).toEqual(['/busy']);
  });

  test('behavior: one that fails for three days is forgotten, and one that works again is not', async () => {
    const user = await api.signIn();
    for (const path of ['/dead', '/ill']) await call('subscribePush', user, browser(path).subscription);
    answers.set('/dead', [400, 400, 400]);
    answers.set('/ill', [400, 201, 400]);
    for (const days of [0, 2, 2]) {
      api.clock.ms += days * 86_400_000;
      const before = received.length;
      const other = await api.signIn();
      const { body } = await api.call('createApiKey', { name: 'k', scopes: ['social'] }, { bearer: other.accessToken });
      await api.call('followUser', { user_id: user.userId }, { bearer: body.key });
      await pusher.push((await tell(api.context)).news);
      await expect.poll(() => received.length).toBe(before + 2);
    }
    await expect.poll(() => endpointsOf(user)).toEqual(['/ill']);
  });

  test('behavior: a subscription ends with the session that it was made in', async () => {
    const user = await api.signIn();
    await call('subscribePush', user, browser('/laptop').subscription);
    expect(await endpointsOf(user)).toEqual(['/laptop']);
    expect((await call('authLogout', user, { refreshToken: user.refreshToken })).status).toBe(200);
    expect(await endpointsOf(user)).toEqual([]);
  });

  test('error: somebody who knows the address of another’s browser alone', async () => {
    const [user, thief] = [await api.signIn(), await api.signIn()];
    const { subscription } = browser('/mine');
    await call('subscribePush', user, subscription);
    const { body } = await call('subscribePush', thief, {
      ...browser('/x').subscription,
      endpoint: subscription.endpoint,
    });
    expect(body.code).toBe('INVALID_PARAMETERS');
    expect(await endpointsOf(user)).toEqual(['/mine']);
  });

  test('error: an address of a private network, a key that is no point, and one too short', async () => {
    const user = await api.signIn();
    const { subscription } = browser('/wrong');
    const { keys } = subscription;
    for (const wrong of [
      { ...subscription, endpoint: 'https://10.0.0.1/push' },
      { ...subscription, endpoint: 'https://user:secret@push.example.com/push' },
      { ...subscription, endpoint: 'ftp://push.example.com/push' },
      { ...subscription, keys: { ...keys, p256dh: randomBytes(65).toString('base64url') } },
      { ...subscription, keys: { ...keys, auth: 'AAAA' } },
    ])
      expect((await call('subscribePush', user, wrong)).body.code).toBe('INVALID_PARAMETERS');
    expect(await endpointsOf(user)).toEqual([]);
  });
});

describe('unsubscribePush', () => {
  test('default: it is told no more; what is not subscribed, or of somebody else, is no error', async () => {
    const [user, other] = [await api.signIn(), await api.signIn()];
    const { subscription } = browser('/bye');
    await call('subscribePush', user, subscription);
    const { endpoint } = subscription;
    expect((await call('unsubscribePush', other, { endpoint })).body).toEqual({ success: true, subscribed: false });
    expect(await endpointsOf(user)).toEqual(['/bye']);
    await call('unsubscribePush', user, { endpoint });
    expect(await endpointsOf(user)).toEqual([]);
  });
});

describe('createPushKeys', () => {
  test('behavior: processes that ask at once get one key, which is stored sealed', async () => {
    const { db, keys } = api.context;
    await db.deleteFrom('push_key').execute();
    const processes = Array.from({ length: 8 }, () => createPushKeys(db, keys));
    const publicKeys = await Promise.all(processes.map((one) => one.publicKey()));
    expect(new Set(publicKeys).size).toBe(1);
    const opened = await Promise.all(processes.map((one) => one.key()));
    expect(new Set(opened.map(({ privateKey }) => privateKey.export({ format: 'jwk' }).d)).size).toBe(1);
    const { sealed_key } = await db.selectFrom('push_key').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(sealed_key)).not.toContain(opened[0]?.privateKey.export({ format: 'jwk' }).d);
  });
});
