import { operations } from '@mintage/protocol/operations';
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestTokenSeconds, makeKey } from '../../../../src/api/accounts/signingKeys.ts';
import { toolTokenSeconds } from '../../../../src/api/surfaces/oauth/toolTokens.ts';
import { basePath } from '../../../../src/api/wire/limits.ts';
import {
  codeForm,
  newBrowser,
  newWallet,
  type OauthApi,
  oauthApi,
  tokenOf,
  type Walked,
  walk,
  walkToCode,
} from '../../oauth/oauthFixture.ts';

let api: OauthApi;
let good: Walked;
let token: string;
beforeAll(async () => {
  api = await oauthApi();
  good = await walk(api);
  token = good.tokens.access_token as string;
});
afterAll(() => api.stop());

const verify = (text: string, at = 0) => (api.contexts[at] as OauthApi['contexts'][0]).oauth.verifyToolToken(text);

/** Calls the tool server as a client would. */
const callTools = (bearer: string): Promise<Response> =>
  fetch(api.contexts[0].oauth.addresses.resource, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });

const post = async (path: string, body: object, bearer?: string) => {
  const answer = await newBrowser().post(`${api.urls[0]}${basePath}${path}`, body, {
    accept: '*/*',
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};

/** An access token of the API, for the user of the grant. */
const apiSession = async () => {
  const { body: challenge } = await post('/auth/challenge', { address: good.wallet.address });
  const message = challenge.message as unknown as string;
  const { body } = await post('/auth/login', { message, signature: await good.wallet.signMessage({ message }) });
  return body as unknown as { accessToken: string; refreshToken: string; userId: string };
};

/** A valid token with some claims replaced, signed with our own key unless told otherwise. */
const resigned = async (
  claims: JWTPayload & Record<string, unknown>,
  header: Record<string, unknown> = {},
  key?: Parameters<SignJWT['sign']>[0],
): Promise<string> => {
  const ours = await api.contexts[0].auth.signingKeys.newest();
  const payload = Object.entries({ ...decodeJwt(token), ...claims }).filter(([, value]) => value !== undefined);
  const head = { ...decodeProtectedHeader(token), alg: 'EdDSA', ...header };
  return new SignJWT(Object.fromEntries(payload)).setProtectedHeader(head).sign(key ?? ours.privateKey);
};

const parts = () => token.split('.') as [string, string, string];
const now = () => Math.floor(api.clock.ms / 1000);
const text = (value: unknown) => base64url.encode(JSON.stringify(value));

describe('T1 a foreign token', () => {
  const url = () => api.contexts[0].config.publicUrl;
  const forged: Record<string, () => Promise<string> | string> = {
    'for the API': () => resigned({ aud: url() }),
    'for the authorization server': () => resigned({ aud: `${url()}${basePath}/oauth` }),
    'for another tool server': () => resigned({ aud: 'https://evil.example/functions/v1/mcp' }),
    'for a path below ours': () => resigned({ aud: `${url()}${basePath}/mcp/x` }),
    'for ours with a slash': () => resigned({ aud: `${url()}${basePath}/mcp/` }),
    'for ours in capitals': () => resigned({ aud: `${url()}${basePath}/MCP` }),
    'for nobody': () => resigned({ aud: undefined as never }),
    'for an empty list': () => resigned({ aud: [] }),
    'for a list of others': () => resigned({ aud: [url(), 'https://evil.example'] }),
    'of the API as issuer': () => resigned({ iss: url() }),
    'of another issuer': () => resigned({ iss: 'https://evil.example/oauth' }),
    'of an issuer with a slash': () => resigned({ iss: `${url()}${basePath}/oauth/` }),
    'of no issuer': () => resigned({ iss: undefined as never }),
    expired: () => resigned({ exp: now() }),
    'expired long ago': () => resigned({ exp: 1 }),
    'without an end': () => resigned({ exp: undefined as never }),
    'with an end that is no number': () => resigned({ exp: '4102444800' as never }),
    'not good before later': () => resigned({ nbf: now() + 600 }),
    'without a time': () => resigned({ iat: undefined as never }),
    'of tomorrow': () => resigned({ iat: now() + 86_400, exp: now() + 87_000 }),
    'of nobody': () => resigned({ sub: undefined as never }),
    'of another user': () => resigned({ sub: '00000000-0000-4000-8000-000000000000' }),
    'of a user that is no id': () => resigned({ sub: 'admin' }),
    'without a grant': () => resigned({ grant: undefined }),
    'of an unknown grant': () => resigned({ grant: 'x'.repeat(43) }),
    'of a grant that is no text': () => resigned({ grant: { $ne: '' } }),
    'without scopes': () => resigned({ scope: undefined }),
    'with scopes in a list': () => resigned({ scope: ['read'] }),
    'of the kind of id tokens': () => resigned({ nonce: 'n' }, { typ: 'JWT' }),
    'of no kind': () => resigned({}, { typ: undefined }),
    'of the kind of logout tokens': () => resigned({}, { typ: 'logout+jwt' }),
    'of another kind of access token': () => resigned({}, { typ: 'at+jwt2' }),
    'with an unknown key id': () => resigned({}, { kid: 'unknown' }),
    'without a key id': () => resigned({}, { kid: undefined }),
    'with a key id that asks the database': () => resigned({}, { kid: "' or '1'='1" }),
    'by another key under our id': async () =>
      resigned({}, {}, (await generateKeyPair('EdDSA', { crv: 'Ed25519' })).privateKey),
    'by a key that it brings along': async () => {
      const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
      return resigned({}, { jwk: await exportJWK(publicKey), kid: undefined }, privateKey);
    },
    'by a key at an address': async () => {
      const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
      return resigned({}, { jku: 'https://evil.example/jwks.json' }, privateKey);
    },
    'by another algorithm': async () => resigned({}, { alg: 'ES256' }, (await generateKeyPair('ES256')).privateKey),
    'by a secret that is our public key': async () => {
      const [jwk] = await api.contexts[0].auth.publicKeys();
      return resigned({}, { alg: 'HS256' }, base64url.decode((jwk as { x: string }).x));
    },
    'without a signature, said so': () => new UnsecuredJWT(decodeJwt(token)).encode(),
    'without a signature': () => parts().slice(0, 2).concat('').join('.'),
    'without a signature, of our kind': () =>
      `${text({ ...decodeProtectedHeader(token), alg: 'none' })}.${parts()[1]}.`,
    'with a changed signature': () => {
      const [first, second, third] = parts();
      return `${first}.${second}.${third[0] === 'A' ? 'B' : 'A'}${third.slice(1)}`;
    },
    'with more scopes and the old signature': () => {
      const [first, , third] = parts();
      return `${first}.${text({ ...decodeJwt(token), scope: 'read prepare execute' })}.${third}`;
    },
    'with a later end and the old signature': () => {
      const [first, , third] = parts();
      return `${first}.${text({ ...decodeJwt(token), exp: now() + 1e6 })}.${third}`;
    },
    'in five parts': () => `${parts().join('.')}.a.b`,
    'in two parts': () => parts().slice(0, 2).join('.'),
    'with a critical header that nobody knows': async () => {
      // Signed by hand, because the library refuses to sign such a token.
      const { privateKey, kid } = await api.contexts[0].auth.signingKeys.newest();
      const signed = `${text({ alg: 'EdDSA', typ: 'at+jwt', kid, crit: ['x'], x: 1 })}.${parts()[1]}`;
      const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(signed));
      return `${signed}.${base64url.encode(new Uint8Array(signature))}`;
    },
    'too long': () => resigned({ padding: 'x'.repeat(5_000) }),
    'of nonsense': () => 'a.b.c',
    'of nothing': () => '..',
    'of an empty text': () => '',
    'that is the access token of the API': async () => (await apiSession()).accessToken,
    'that is the refresh token of the API': async () => (await apiSession()).refreshToken,
    'that is an API key': async () => {
      const { accessToken } = await apiSession();
      return (await post('/api-keys', { name: 'bot' }, accessToken)).body.key as unknown as string;
    },
    'that is the refresh token of the grant': () => good.tokens.refresh_token as string,
    'that is the grant itself': () => decodeJwt(token).grant as string,
    'that is a code': () => good.code,
    'of another deployment': async () => {
      const other = await oauthApi({ env: { PLATFORM_NAME: 'Other' } });
      const foreign = (await walk(other)).tokens.access_token as string;
      expect(await other.contexts[0].oauth.verifyToolToken(foreign)).not.toBeNull();
      await other.stop();
      return foreign;
    },
  };

  it('default: the good one is taken, at every process and by the tools', async () => {
    for (const at of [0, 1]) {
      const caller = await verify(token, at);
      expect([caller?.method, caller?.embedded]).toEqual(['grant', {}]);
    }
    expect(await verify(await resigned({}))).not.toBeNull();
    expect(await verify(await resigned({ padding: 'x'.repeat(500) }))).not.toBeNull();
    expect((await callTools(token)).status).toBe(200);
  });

  it.each(Object.entries(forged))('error: %s', async (_name, make) => {
    const bad = await make();
    for (const at of [0, 1]) expect(await verify(bad, at)).toBeNull();
    if (_name.startsWith('that is an API key')) return; // the tool server accepts API keys
    const refused = await callTools(bad);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${api.contexts[0].oauth.addresses.resourceMetadata}"`,
    );
  });

  it('error: when it has expired', async () => {
    const { tokens } = await walk(api, { clientId: good.clientId });
    const mine = tokens.access_token as string;
    expect(await verify(mine)).not.toBeNull();
    api.clock.ms += 599_000;
    expect(await verify(mine, 1)).not.toBeNull();
    api.clock.ms += 1_000;
    for (const at of [0, 1]) expect(await verify(mine, at)).toBeNull();
  });

  it('error: when its user is gone', async () => {
    const { tokens, wallet } = await walk(api, { clientId: good.clientId });
    const mine = tokens.access_token as string;
    const { db } = api.contexts[0];
    const owner = await db
      .selectFrom('user_wallet')
      .select('user_id')
      .where('address', '=', wallet.address.toLowerCase() as `0x${string}`)
      .executeTakeFirstOrThrow();
    expect(await verify(mine)).toMatchObject({ userId: owner.user_id });
    // The grant now names a user without an account, and not the token's user.
    const stranger = (await walk(api, { clientId: good.clientId, wallet: newWallet() })).tokens.access_token as string;
    await db
      .updateTable('oauth_grant')
      .set({ user_id: decodeJwt(stranger).sub as string })
      .where('grant_id', '=', decodeJwt(mine).grant as string)
      .execute();
    api.clock.ms += 4_001;
    for (const at of [0, 1]) expect(await verify(mine, at)).toBeNull();
  });
});

describe('T1 a token of the tool server', () => {
  it('error: opens nothing of the API: every operation that asks for a credential refuses it', async () => {
    const fresh = (await walk(api, { scope: 'read prepare execute' })).tokens.access_token as string;
    expect(await verify(fresh)).not.toBeNull();
    const asking = operations.filter(({ access }) => access !== 'public');
    expect(asking.length).toBeGreaterThan(15);
    for (const { method, path, name } of asking) {
      const answer = await fetch(`${api.urls[0]}${basePath}${path.replace('<platform-slug>', 'mintage')}`, {
        method,
        headers: { authorization: `Bearer ${fresh}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect([name, answer.status]).toEqual([name, 401]);
    }
  });

  it('T4 error: does not go on under the session of another: each request counts by its own credential', async () => {
    const other = await walk(api, { clientId: good.clientId });
    const session = 'mcp-session-id';
    const withSession = (bearer: string | null) =>
      fetch(api.contexts[0].oauth.addresses.resource, {
        method: 'POST',
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          [session]: '11111111-1111-4111-8111-111111111111',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      });
    const answer = await withSession(other.tokens.access_token as string);
    expect(answer.headers.get(session)).toBeNull();
    expect((await withSession(null)).status).toBe(401);
  });
});

it('behavior: the signing key may be replaced while flows run: old and new tokens are good', async () => {
  expect(toolTokenSeconds).toBeLessThanOrEqual(longestTokenSeconds);
  const [context] = api.contexts;
  const before = await walk(api, { clientId: good.clientId });
  const running = await walkToCode(api, { clientId: good.clientId });
  const kid = await makeKey(context, context.keys);
  api.clock.ms += 5_000;
  const after = await tokenOf(running.server, codeForm(running));
  const fresh = after.body.access_token as string;
  expect(decodeProtectedHeader(fresh).kid).toBe(kid);
  for (const at of [0, 1]) {
    expect(await verify(fresh, at)).not.toBeNull();
    expect(await verify(before.tokens.access_token as string, at)).not.toBeNull();
  }
});

it('behavior: a refreshed token is as good', async () => {
  const { tokens, clientId, server } = await walk(api);
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token as string };
  const next = await tokenOf(server, form);
  expect(await verify(next.body.access_token as string)).not.toBeNull();
});
