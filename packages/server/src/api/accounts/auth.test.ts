import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { operations } from '@mintage/protocol/operations';
import { base64url, type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ForeignIssuer, startForeignIssuer } from '../../../test/api/testing/foreignIssuer.ts';
import { type SignedIn, sessionOf, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { basePath } from '../wire/limits.ts';
import { createAccessTokens } from './accessTokens.ts';
import { newApiKey } from './apiKeyText.ts';
import { createAuth } from './auth.ts';
import { base62Of } from './base62.ts';
import { createSigningKeys } from './signingKeys.ts';

const issuer = 'http://127.0.0.1:8080';

describe('sign-in', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { PLATFORM_NAME: 'Acme Pad', APP_URL: 'https://app.acmepad.example/' } });
  });
  afterAll(() => api.stop());

  const account = privateKeyToAccount(generatePrivateKey());
  const challenge = async () => (await api.call('authChallenge', { address: account.address })).body;

  it('default: the text is an EIP-4361 message of this deployment', async () => {
    const { message, nonce, expiresAt } = await challenge();
    expect(message).toBe(`app.acmepad.example wants you to sign in with your Ethereum account:
${account.address}

Sign in to Acme Pad. This costs nothing and sends no transaction.

URI: https://app.acmepad.example
Version: 1
Chain ID: 1
Nonce: ${nonce}
Issued At: 2030-01-01T00:00:00.000Z
Expiration Time: 2030-01-01T00:05:00.000Z`);
    expect(expiresAt).toBe('2030-01-01T00:05:00.000Z');
  });

  it('behavior: the first sign-in makes the user, the next finds it; the signature may lack 0x', async () => {
    const first = await api.signIn(account);
    const { message } = await challenge();
    const signature = (await account.signMessage({ message })).slice(2);
    const { body } = await api.call('authLogin', { message, signature });
    expect(body.userId).toBe(first.userId);
    expect(body.expiresIn).toBe(900);
    expect(await api.context.auth.verify(`Bearer ${body.accessToken}`)).toEqual({
      userId: first.userId,
      wallets: [account.address.toLowerCase()],
      embedded: {},
      credential: null,
      session: { sessionId: sessionOf(body).sessionId, confirmedAtMs: api.clock.ms },
      waitsUntilMs: null,
      newUntilMs: null,
      method: 'jwt',
      premium: false,
      scopes: ['read', 'prepare', 'execute', 'social'],
    });
  });

  it('behavior: first sign-ins at once make one user', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const all = await Promise.all(Array.from({ length: 6 }, () => api.signIn(wallet)));
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(1);
  });

  it('error: a text is good once, also after a wrong signature', async () => {
    const { message } = await challenge();
    const signature = await account.signMessage({ message });
    expect((await api.call('authLogin', { message, signature })).status).toBe(200);
    expect((await api.call('authLogin', { message, signature })).body.code).toBe('AUTHENTICATION_FAILED');
  });

  it('error: of logins at once with one text, one succeeds', async () => {
    const { message } = await challenge();
    const signature = await account.signMessage({ message });
    const all = await Promise.all(Array.from({ length: 8 }, () => api.call('authLogin', { message, signature })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  });

  it('error: expired, changed, foreign, or signed by another wallet', async () => {
    const refused = async (message: string, signer = account) =>
      (await api.call('authLogin', { message, signature: await signer.signMessage({ message }) })).status;
    const { message } = await challenge();
    expect(await refused(message.replace('acmepad', 'evil'))).toBe(401);
    expect(await refused((await challenge()).message.replace('Chain ID: 1', 'Chain ID: 2'))).toBe(401);
    expect(await refused('hello')).toBe(401);
    expect(await refused((await challenge()).message, privateKeyToAccount(generatePrivateKey()))).toBe(401);
    const late = await challenge();
    api.clock.ms += 5 * 60_000;
    expect(await refused(late.message)).toBe(401);
  });

  it('A4 error: the other form of a signature', async () => {
    const { message } = await challenge();
    const signature = await account.signMessage({ message });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const highS = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const twin = `${signature.slice(0, 66)}${highS}${signature.endsWith('1b') ? '1c' : '1b'}`;
    expect((await api.call('authLogin', { message, signature: twin })).status).toBe(401);
  });

  it('error: fields that are none', async () => {
    for (const address of [undefined, 'x', `0x${'1'.repeat(39)}`, 7]) {
      expect((await api.call('authChallenge', { address })).body).toMatchObject({
        code: 'INVALID_PARAMETERS',
        details: [{ path: 'address' }],
      });
    }
    const { body } = await api.call('authLogin', { message: 'x', signature: '0x12' });
    expect(body.details).toEqual([{ path: 'signature', message: 'must be a signature: 65 bytes in hex' }]);
  });

  it('K1 error: a text that a writer of the database added signs nobody in, though the wallet signed it elsewhere', async () => {
    await api.signIn(account);
    const nonce = '0123456789abcdef';
    const message = `elsewhere.example wants you to sign in with your Ethereum account:\n${account.address}\n\nNonce: ${nonce}`;
    const signature = await account.signMessage({ message });
    const address = account.address.toLowerCase() as `0x${string}`;
    await api.processDb
      .insertInto('auth_challenge')
      .values({ nonce, address, message, expires_at: new Date(api.clock.ms + 60_000), user_id: null })
      .execute();
    const { status, body } = await api.call('authLogin', { message, signature });
    expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
  });

  it('K1 error: a database that answers with the row of another wallet signs nobody in', async () => {
    const { call, context, signIn, stop } = await testApi();
    const thief = privateKeyToAccount(generatePrivateKey());
    const { address: victim } = await signIn(account);
    const own = thief.address.toLowerCase();
    // As its owner can: the column is the thief's where it is compared, and the victim's where it is read.
    await sql`alter table user_wallet rename to true_wallet`.execute(context.db);
    await sql`create sequence turn`.execute(context.db);
    await sql`create function lie() returns text language plpgsql stable security definer as ${sql.lit(
      `begin return case when nextval('turn') % 2 = 1 then '${own}' else '${victim}' end; end`,
    )}`.execute(context.db);
    await sql`create view user_wallet as select lie() as address, user_id, created_at, seal, acts_from from true_wallet
      where address = ${sql.lit(victim)}`.execute(context.db);
    await sql`grant all on user_wallet to public`.execute(context.db);
    const { body } = await call('authChallenge', { address: thief.address });
    const signature = await thief.signMessage({ message: body.message });
    const answer = await call('authLogin', { message: body.message, signature });
    expect([answer.status, answer.body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
    await stop();
  });

  it('behavior: expired challenges are thrown away', async () => {
    await challenge();
    api.clock.ms += 3_600_000;
    await challenge();
    const rows = await api.context.db.selectFrom('auth_challenge').selectAll().execute();
    expect(rows.length).toBe(1);
  });
});

describe('sessions', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  const refresh = (refreshToken: string) => api.call('authRefresh', { refreshToken });

  it('default: each refresh gives the next token of the same user', async () => {
    const { userId, refreshToken } = await api.signIn();
    const next = await refresh(refreshToken);
    expect(next.body).toMatchObject({ userId, expiresIn: 900 });
    expect((await refresh(next.body.refreshToken)).status).toBe(200);
  });

  const next = async (refreshToken: string): Promise<string> => {
    const { status, body } = await refresh(refreshToken);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.refreshToken;
  };

  it('behavior: within a minute a token is exchanged once more, as its answer may have been lost', async () => {
    const { refreshToken } = await api.signIn();
    const lost = await next(refreshToken);
    api.clock.ms += 60_000;
    const kept = await next(refreshToken);
    expect(kept).not.toBe(lost);
    // The session goes on as if nothing had been lost, and the next answer may be lost too.
    const lostLater = await next(kept);
    expect(await next(await next(kept))).not.toBe(lostLater);
  });

  /** Gives the token that ends the session, and the one that was good until then. */
  const misuses: [string, (used: string, newer: string) => Promise<[bad: string, good: string]>][] = [
    [
      'after a minute',
      async (used, newer) => {
        api.clock.ms += 60_001;
        return [used, newer];
      },
    ],
    ['once its successor was used', async (used, newer) => [used, await next(newer)]],
    ['a third time', async (used) => [used, await next(used)]],
    // Somebody else holds the other one of its two successors.
    ['through the successor that was taken back', async (used, newer) => [newer, await next(used)]],
  ];
  it.each(misuses)('error: a token used again %s ends the whole session', async (_how, misuse) => {
    const { refreshToken, accessToken: bearer } = await api.signIn();
    const [bad, good] = await misuse(refreshToken, await next(refreshToken));
    expect((await refresh(bad)).body.code).toBe('AUTHENTICATION_FAILED');
    expect((await refresh(good)).status).toBe(401);
    expect((await api.call('createApiKey', { name: 'x' }, { bearer })).status).toBe(401);
  });

  it('error: of exchanges at once of one token two go on, one after the other, and a third ends the session', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refreshToken, userId } = await api.signIn();
      const two = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
      expect(two.map(({ status }) => status)).toEqual([200, 200]);
      const good = api.context.db.selectFrom('refresh_token').select('token_hash').where('user_id', '=', userId);
      expect(await good.where('used_at', 'is', null).execute()).toHaveLength(1);

      const other = await api.signIn();
      const all = await Promise.all(Array.from({ length: 5 }, () => refresh(other.refreshToken)));
      const won = all.filter(({ status }) => status === 200);
      expect(won).toHaveLength(2);
      for (const { body } of won) expect((await refresh(body.refreshToken)).status).toBe(401);
    }
  });

  it('error: unknown, or older than 30 days', async () => {
    expect((await refresh('nonsense')).status).toBe(401);
    const { refreshToken } = await api.signIn();
    api.clock.ms += 30 * 24 * 3_600_000;
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('behavior: logout ends the session and says so also for an unknown one', async () => {
    const mine = await api.signIn();
    const other = await api.signIn();
    expect((await api.call('authLogout', { refreshToken: mine.refreshToken })).body).toEqual({ success: true });
    // For good: an older database that is restored does not revive it (`noteRevocations` of the signer).
    const revoked = api.context.db.selectFrom('budget').select('ended_at');
    expect(await revoked.where('credential', '=', sessionOf(mine).sessionId).execute()).toHaveLength(1);
    expect((await refresh(mine.refreshToken)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
    expect((await api.call('authLogout', { refreshToken: 'nonsense' })).body).toEqual({ success: true });
  });

  it('behavior: the database holds no token', async () => {
    const { refreshToken } = await api.signIn();
    const rows = await api.context.db.selectFrom('refresh_token').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(refreshToken);
  });
});

describe('access tokens', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    api = await testApi();
    user = await api.signIn();
  });
  afterAll(() => api.stop());

  const status = async (bearer: string) => (await api.call('listApiKeys', {}, { bearer })).status;

  it('default', async () => {
    expect(await status(user.accessToken)).toBe(200);
  });

  it('error: after it expired, also when it was believed before', async () => {
    const { accessToken } = await api.signIn();
    expect(await status(accessToken)).toBe(200);
    api.clock.ms += 899_000;
    expect(await status(accessToken)).toBe(200);
    api.clock.ms += 1_000;
    expect(await status(accessToken)).toBe(401);
  });

  it('A5 error: forged tokens, on every route that needs a caller', async () => {
    const good = await api.signIn();
    const forged = await forgeries(good, api);
    const routes = operations.filter(({ access }) => access !== 'public');
    for (const { method, path } of routes) {
      for (const [what, token] of Object.entries(forged)) {
        const answer = await api.inject({
          method,
          url: basePath + path,
          payload: {},
          headers: { authorization: `Bearer ${token}` },
        });
        expect([path, what, answer.statusCode]).toEqual([path, what, 401]);
      }
    }
    expect(await status(good.accessToken)).toBe(200);
  });

  it('A5 error: a token of another deployment, also with a key of the same id', async () => {
    const other = await testApi();
    const { accessToken } = await other.signIn();
    await other.stop();
    expect(await status(accessToken)).toBe(401);
  });

  it('behavior: the published keys are public ones', async () => {
    const { body } = await api.call('jwks');
    expect(body.keys.length).toBe(1);
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  it('behavior: a key that another process made is found', async () => {
    const now = () => api.clock.ms;
    const early = createAccessTokens(createSigningKeys(api.context, api.context.keys, now), issuer, now);
    // The token has expired; this call only makes the process load the signing keys.
    expect(await early.verify(user.accessToken)).toBeNull();
    await api.context.db.deleteFrom('signing_key').execute();
    const late = createAccessTokens(createSigningKeys(api.context, api.context.keys, now), issuer, now);
    const token = await late.issue(sessionOf(user));
    expect(await early.verify(token)).toBeNull();
    api.clock.ms += 2_000;
    expect(await early.verify(token)).toMatchObject({ userId: user.userId });
  });
});

const part = (value: unknown): string => base64url.encode(JSON.stringify(value));

/** Forged tokens, by what is wrong with them; each is correct except for one property. */
const forgeries = async (good: SignedIn, api: TestApi): Promise<Record<string, string>> => {
  const [header = '', body = '', signature = ''] = good.accessToken.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as JWTPayload;
  const kid = (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid;
  const row = await api.context.db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow();
  const { privateKey: stranger } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const { privateKey: p256 } = await generateKeyPair('ES256');
  const { privateKey: ownKey } = await api.context.auth.signingKeys.newest();
  const sign = (payload: JWTPayload, head: object, key: CryptoKey | Uint8Array = ownKey): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...head }).sign(key);
  const { sub: _sub, ...withoutSub } = claims;
  const { exp: _exp, ...withoutExp } = claims;
  const { iat: _iat, ...withoutIat } = claims;
  const publicX = Buffer.from((row.public_jwk as { x: string }).x, 'base64url');
  return {
    'changed claims': `${header}.${part({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${signature}`,
    'no signature': `${header}.${body}.`,
    'cut signature': `${header}.${body}.${signature.slice(0, -4)}`,
    'algorithm none': new UnsecuredJWT(claims).encode(),
    'algorithm none, our header': `${part({ alg: 'none', typ: 'at+jwt', kid })}.${body}.`,
    'public key as shared secret': await sign(claims, { alg: 'HS256' }, publicX),
    'another algorithm': await sign(claims, { alg: 'ES256' }, p256),
    'another key': await sign(claims, {}, stranger),
    'unknown key id': await sign(claims, { kid: 'other' }, stranger),
    'own key in the header': await sign(claims, { jwk: await exportJWK(stranger).catch(() => ({})) }, stranger),
    'another type': await sign(claims, { typ: 'JWT' }),
    'another issuer': await sign({ ...claims, iss: 'https://evil.example' }, {}),
    'another audience': await sign({ ...claims, aud: 'https://evil.example' }, {}),
    expired: await sign({ ...claims, exp: Math.floor(api.clock.ms / 1000) - 1 }, {}),
    'not yet good': await sign({ ...claims, nbf: Math.floor(api.clock.ms / 1000) + 60 }, {}),
    'without subject': await sign(withoutSub, {}),
    'without expiry': await sign(withoutExp, {}),
    'without issue time': await sign(withoutIat, {}),
    'a user who is not there': await sign({ ...claims, sub: '00000000-0000-4000-8000-000000000000' }, {}),
    'three empty parts': '..',
    'three parts of nonsense': 'a.b.c',
    'header that is no object': `${part('x')}.${body}.${signature}`,
  };
};

describe('foreign issuers', () => {
  let api: TestApi;
  let issuer: ForeignIssuer;
  let sign: (claims: JWTPayload, head?: object) => Promise<string>;

  beforeAll(async () => {
    issuer = await startForeignIssuer();
    api = await testApi({ env: { JWT_ISSUERS: issuer.jwtIssuers } });
    sign = (claims, head = {}) =>
      issuer.sign({ sub: 'alice', exp: Math.floor(api.clock.ms / 1000) + 600, ...claims }, head);
  });
  afterAll(async () => {
    await api.stop();
    await issuer?.stop();
  });

  const verify = async (token: string) => api.context.auth.verify(`Bearer ${token}`);

  it('default: a user without a wallet, the same one each time', async () => {
    const first = await verify(await sign({}));
    expect(first).toMatchObject({ wallets: [], method: 'jwt', scopes: ['read', 'prepare', 'execute', 'social'] });
    const again = await verify(await sign({ exp: Math.floor(api.clock.ms / 1000) + 700 }));
    expect(again?.userId).toBe(first?.userId);
    const other = await verify(await sign({ sub: 'bob' }));
    expect(other?.userId).not.toBe(first?.userId);
  });

  it('A5 error: another audience, issuer, time or type', async () => {
    for (const token of [
      await sign({ aud: 'someone-else' }),
      await sign({ iss: 'https://evil.example' }),
      await sign({ exp: Math.floor(api.clock.ms / 1000) - 1 }),
      await sign({}, { typ: 'logout+jwt' }),
      await sign({}, { kid: 'k2' }),
    ]) {
      expect(await verify(token)).toBeNull();
    }
  });

  it('H8 error: a user whose name cannot be stored is nobody, on public routes and others', async () => {
    const longest = await sign({ sub: 'x'.repeat(512) });
    expect(await verify(longest)).not.toBeNull();
    for (const sub of ['\0', 'al\0ice', '\ud800', 'alice \udc00', randomBytes(2_100).toString('base64')]) {
      const bearer = await sign({ sub });
      expect([sub, (await api.call('listApiKeys', {}, { bearer })).status]).toEqual([sub, 401]);
      expect([sub, (await api.call('searchToken', { input: 'fox' }, { bearer })).status]).toEqual([sub, 200]);
    }
  });
});

describe('API keys', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { NETWORK: 'Mainnet' } });
  });
  afterAll(() => api.stop());

  const make = async (bearer: string, input: object = {}) =>
    api.call('createApiKey', { name: 'bot', ...input }, { bearer });

  it('default: shown once, works, is listed', async () => {
    const { accessToken, userId, address } = await api.signIn();
    const { status, body } = await make(accessToken, { scopes: ['read', 'prepare'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ scopes: ['read', 'prepare'], createdAt: '2030-01-01T00:00:00.000Z' });
    expect(body.key.startsWith(`mintage_live_${body.id}_`)).toBe(true);
    expect(body.key).not.toContain('.');
    expect(await api.context.auth.verify(`Bearer ${body.key}`)).toEqual({
      userId,
      wallets: [address],
      embedded: {},
      credential: body.id,
      session: null,
      waitsUntilMs: null,
      newUntilMs: api.clock.ms,
      method: 'apiKey',
      premium: false,
      scopes: ['read', 'prepare'],
    });
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).body).toEqual({
      keys: [
        {
          id: body.id,
          name: 'bot',
          prefix: `mintage_live_${body.id}`,
          scopes: ['read', 'prepare'],
          createdAt: '2030-01-01T00:00:00.000Z',
          expiresAt: null,
          lastUsedAt: '2030-01-01T00:00:00.000Z',
          budget: null,
        },
      ],
    });
  });

  it('A6 the database holds the hash only', async () => {
    const { accessToken } = await api.signIn();
    const { body } = await make(accessToken);
    const rows = await api.context.db.selectFrom('api_key').selectAll().where('id', '=', body.id).execute();
    expect(JSON.stringify(rows)).not.toContain(body.key.slice(-50));
    expect(rows[0]?.key_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('A6 error: revoked, at once here and within 5 seconds in another process', async () => {
    const { accessToken } = await api.signIn();
    const { body } = await make(accessToken);
    const { config, keys, now, log } = api.context;
    const elsewhere = createAuth(config, api.context, keys, now, log);
    expect(await elsewhere.verify(`Bearer ${body.key}`)).not.toBeNull();
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).status).toBe(200);
    expect((await api.call('revokeApiKey', { id: body.id }, { bearer: accessToken })).body).toEqual({ success: true });
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).status).toBe(401);
    api.clock.ms += 5_000;
    expect(await elsewhere.verify(`Bearer ${body.key}`)).toBeNull();
    expect((await api.call('listApiKeys', {}, { bearer: accessToken })).body.keys).toEqual([]);
  });

  it('error: expired', async () => {
    const { accessToken } = await api.signIn();
    const expiresAt = new Date(api.clock.ms + 2_000).toISOString();
    const { body } = await make(accessToken, { expiresAt });
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).body.keys[0].expiresAt).toBe(expiresAt);
    api.clock.ms += 2_000;
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).status).toBe(401);
    expect((await make(accessToken, { expiresAt })).body.details).toEqual([
      { path: 'expiresAt', message: 'must be in the future' },
    ]);
    expect((await make(accessToken, { expiresAt: 'tomorrow' })).body.code).toBe('INVALID_PARAMETERS');
  });

  it('error: more than ten, also at once; a revoked or expired one makes room', async () => {
    const { accessToken } = await api.signIn();
    const all = await Promise.all(Array.from({ length: 13 }, () => make(accessToken)));
    const made = all.filter(({ status }) => status === 200);
    expect(made.length).toBe(10);
    expect(all.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_KEYS' } });
    await api.call('revokeApiKey', { id: made[0]?.body.id }, { bearer: accessToken });
    expect((await make(accessToken)).status).toBe(200);
  });

  it('error: a scope that the credential lacks', async () => {
    const { accessToken } = await api.signIn();
    const { body: reader } = await make(accessToken, { scopes: ['read'] });
    const refused = await make(reader.key);
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      'SCOPE_MISSING',
      [{ path: 'scopes', message: 'execute' }],
    ]);
    const { body: executor } = await make(accessToken, { scopes: ['execute'] });
    expect((await api.call('listApiKeys', {}, { bearer: executor.key })).status).toBe(403);
  });

  it("W5 error: another user's key can be neither seen nor revoked", async () => {
    const owner = await api.signIn();
    const thief = await api.signIn();
    const { body } = await make(owner.accessToken);
    const refused = await api.call('revokeApiKey', { id: body.id }, { bearer: thief.accessToken });
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'id']);
    expect((await api.call('listApiKeys', {}, { bearer: thief.accessToken })).body.keys).toEqual([]);
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).status).toBe(200);
  });

  it('A6 error: a made-up key with right check digits and a real id', async () => {
    const { accessToken } = await api.signIn();
    const { body } = await make(accessToken);
    const secret = newApiKey('mintage_live').key.split('_')[3];
    const unchecked = `${body.prefix}_${secret}`;
    const key = `${unchecked}_${base62Of(crc32(unchecked))}`;
    expect((await api.call('listApiKeys', {}, { bearer: key })).status).toBe(401);
  });
});

describe('wallets that signed', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  it('default: the account of a wallet, remembered for four seconds, and at most that', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { userId } = await api.signIn(account);
    const address = account.address.toLowerCase() as `0x${string}`;
    const { auth, db } = api.context;
    const isPremium = async () => (await auth.callerOfWallet(address))?.premium;
    expect(await auth.callerOfWallet(address)).toEqual({
      userId,
      wallets: [address],
      embedded: {},
      method: 'wallet',
      premium: false,
      scopes: ['read', 'prepare', 'execute', 'social'],
      credential: null,
      session: null,
      waitsUntilMs: null,
      newUntilMs: null,
    });
    await db.updateTable('app_user').set({ premium: true }).where('user_id', '=', userId).execute();
    api.clock.ms += 3_999;
    expect(await isPremium()).toBe(false);
    api.clock.ms += 1;
    expect(await isPremium()).toBe(true);
    await db.updateTable('app_user').set({ premium: false }).where('user_id', '=', userId).execute();
    expect(await isPremium()).toBe(true);
    auth.forgetUser(userId);
    expect(await isPremium()).toBe(false);
  });

  it('behavior: a wallet that was nobody’s is found as soon as it registers', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const address = account.address.toLowerCase() as `0x${string}`;
    expect(await api.context.auth.callerOfWallet(address)).toBeNull();
    const { userId } = await api.signIn(account);
    expect((await api.context.auth.callerOfWallet(address))?.userId).toBe(userId);
  });

  it('error: what is remembered of a wallet is no credential for who names it', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const address = account.address.toLowerCase() as `0x${string}`;
    await api.signIn(account);
    expect(await api.context.auth.callerOfWallet(address)).not.toBeNull();
    for (const named of [address, account.address]) {
      expect(await api.context.auth.verify(`Bearer ${named}`)).toBeNull();
    }
  });
});
