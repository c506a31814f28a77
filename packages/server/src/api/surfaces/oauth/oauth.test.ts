import { createHash, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  authorizeUrl,
  consentOn,
  discover,
  newBrowser,
  newPkce,
  newWallet,
  type OauthApi,
  oauthApi,
  openPage,
  redirectUri,
  register,
  signInOn,
  tokenOf,
  walk,
} from '../../../../test/api/oauth/oauthFixture.ts';
import { openDatabase } from '../../../db/openDatabase.ts';
import { createOauth } from './oauth.ts';

let api: OauthApi;
beforeAll(async () => {
  api = await oauthApi();
});
afterAll(() => api.stop());

describe('a strange client', () => {
  it('default: walks the whole way over HTTP, from one process to the other', async () => {
    const [context] = api.contexts;
    const { resource } = context.oauth.addresses;
    const elsewhere = (url: string) => url.replace(api.urls[0], api.urls[1]);

    const { protectedResource, server } = await discover(resource);
    expect(protectedResource).toMatchObject({ resource, authorization_servers: [server.issuer] });
    const client = await register(server);
    const browser = newBrowser();
    const pkce = newPkce();
    const wallet = newWallet();
    const request = {
      client_id: client.client_id,
      resource,
      code_challenge: pkce.challenge,
      scope: 'read prepare execute',
    };
    const page = await openPage(browser, authorizeUrl(server, request));
    const shown = await (await browser.get(page)).text();
    expect(shown).toContain('Strange Client');
    await signInOn(browser, page, wallet);
    const choices = await (await browser.get(page)).text();
    expect(choices).toContain(wallet.address);
    expect(choices).toContain('value="read" checked>');
    expect(choices).toContain('value="execute">'); // executing is not chosen beforehand
    const back = await consentOn(
      browser,
      page,
      allow({ scope: ['read', 'execute'], chain: 'base-sepolia', perTradeUsd: '5', perDayUsd: '20.50' }),
    );
    expect(back.href.startsWith(redirectUri)).toBe(true);
    expect(back.searchParams.get('state')).toBe('its own state');
    expect(back.searchParams.get('iss')).toBe(server.issuer);

    const exchange = {
      grant_type: 'authorization_code',
      client_id: client.client_id,
      code: back.searchParams.get('code') as string,
      redirect_uri: redirectUri,
      code_verifier: pkce.verifier,
      resource,
    };
    const tokens = await tokenOf({ token_endpoint: elsewhere(server.token_endpoint) }, exchange);
    expect(tokens.status).toBe(200);
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read execute' });

    for (const { oauth } of api.contexts) {
      const caller = await oauth.verifyToolToken(tokens.body.access_token as string);
      expect(caller).toMatchObject({
        method: 'grant',
        scopes: ['read', 'execute'],
        wallets: [wallet.address.toLowerCase()],
      });
    }
  });
});

it('K1 error: a text that a writer of the database added signs nobody in, though the wallet signed it elsewhere', async () => {
  const [context] = api.contexts;
  const { resource } = context.oauth.addresses;
  const { server } = await discover(resource);
  const { client_id } = await register(server);
  const browser = newBrowser();
  const page = await openPage(
    browser,
    authorizeUrl(server, { client_id, resource, code_challenge: newPkce().challenge }),
  );
  const wallet = newWallet();
  const nonce = '0123456789abcdef';
  const message = `elsewhere.example wants you to sign in.\n\nNonce: ${nonce}`;
  const address = wallet.address.toLowerCase();
  const payload = JSON.stringify({ interaction: new URL(page).pathname.split('/').at(-1), address, message });
  await context.db
    .insertInto('oauth_item')
    .values({
      model: 'SignInText',
      id_hash: createHash('sha256').update(nonce).digest('hex'),
      payload,
      grant_id: null,
      consumed_at: null,
      expires_at: new Date(context.now() + 60_000),
      seal: null,
    })
    .execute();
  const signature = await wallet.signMessage({ message });
  const form = new URLSearchParams({ message: message.replaceAll('\n', '\r\n'), signature });
  expect((await browser.post(`${page}/sign-in`, form)).status).toBe(401);
});

it('behavior: no log line holds a code, a token, or what finds a running flow', async () => {
  const { tokens, code } = await walk(api);
  const logged = () => api.logged.map((line) => JSON.stringify(line)).join('\n');
  await expect.poll(logged).toContain('/functions/v1/oauth/token');
  const lines = logged();
  expect(lines).toContain('/functions/v1/oauth/interaction/:uid/consent');
  expect(lines).not.toMatch(/\/oauth\/(interaction|authorize)\/[\w-]{20}/);
  for (const secret of [code, tokens.access_token, tokens.refresh_token]) expect(lines).not.toContain(secret);
});

it('error: without its database it is away for a while (503), and says nothing of it', async () => {
  const [context] = api.contexts;
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const { config, auth, log, now, seals } = context;
  const { authorizationServer } = createOauth({ config, auth, log, now, seals, db: away as never });
  const own = createServer(patientServer, (await authorizationServer()).callback()).listen(0, '127.0.0.1');
  await new Promise((done) => own.once('listening', done));
  const { port } = own.address() as AddressInfo;
  for (const path of ['/authorize?client_id=x&response_type=code', '/token']) {
    const body = new URLSearchParams({ client_id: 'x', grant_type: 'authorization_code' });
    const post = { method: 'POST', body };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, path === '/token' ? post : {});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await answer.text()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1:1/);
  }
  own.closeAllConnections();
  own.close();
  await away.destroy();
  api.logged.splice(0);
});

interface Random {
  path: string;
  type: string;
  isPost: boolean;
  pairs: [string, string][];
  raw: string | undefined;
}

/** Requests of the fuzz below; more by the environment. */
const cases = Number(process.env.OAUTH_CASES ?? 300);

it(`R3 error: ${cases} random requests are no fault of ours`, async () => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  const names =
    'client_id redirect_uri scope resource state code code_verifier grant_type refresh_token prompt max_age claims';
  const values = [
    '',
    'x',
    '\u0000',
    '%00',
    '__proto__',
    '[]',
    '{}',
    '\ud800',
    '💥',
    '-1',
    '1e999',
    'a b',
    '"',
    "'",
    '\r\nx: y',
  ];
  const pair = fc.tuple(fc.constantFrom(...names.split(' '), 'a[b]', '__proto__', ''), fc.constantFrom(...values));
  const paths = [
    'authorize',
    'authorize/x',
    'token',
    'register',
    'revoke',
    'interaction/x',
    'interaction/x/consent',
    'jwks',
  ];
  const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data', ''];
  const requests = fc.record({
    path: fc.constantFrom(...paths),
    type: fc.constantFrom(...types),
    isPost: fc.boolean(),
    pairs: fc.array(pair, { maxLength: 8 }),
    raw: fc.option(fc.oneof(fc.string(), fc.json()), { nil: undefined }),
  });
  const { issuer } = api.contexts[0].oauth.addresses;
  const attempt = async ({ path, type, isPost, pairs, raw }: Random) => {
    const text = new URLSearchParams(pairs).toString();
    const headers = {
      'content-type': type,
      cookie: `mintage_oauth=${encodeURIComponent(raw ?? 'x')}`,
      accept: 'text/html',
    };
    const url = `${issuer}/${path}?${isPost ? '' : text}`;
    const answer = await fetch(
      url,
      isPost ? { method: 'POST', headers, body: raw ?? text } : { headers, redirect: 'manual' },
    );
    expect(answer.status, `${url} ${type} ${raw ?? text}`).toBeLessThan(500);
  };
  await fc.assert(fc.asyncProperty(requests, attempt), { seed, numRuns: cases });
  expect(api.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
});

describe('documents', () => {
  it('behavior: say what the library does', async () => {
    const [{ oauth }] = api.contexts;
    const { server } = await discover(oauth.addresses.resource);
    const provider = await oauth.authorizationServer();
    const own = createServer(patientServer, provider.callback()).listen(0, '127.0.0.1');
    await new Promise((done) => own.once('listening', done));
    const { port } = own.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
    const theirs = (await answer.json()) as Record<string, unknown>;
    own.closeAllConnections();
    own.close();
    const same = [
      'code_challenge_methods_supported',
      'grant_types_supported',
      'issuer',
      'response_types_supported',
      'token_endpoint_auth_methods_supported',
      'authorization_response_iss_parameter_supported',
      'client_id_metadata_document_supported',
    ];
    for (const name of same) expect([name, server[name as 'issuer']]).toEqual([name, theirs[name]]);
    for (const name of ['authorization', 'token', 'registration', 'revocation'] as const) {
      expect(server[`${name}_endpoint`]).toBe(provider.urlFor(name));
      expect(theirs).toHaveProperty(`${name}_endpoint`);
    }
    const offered = Object.keys(theirs).filter((name) => name.endsWith('_endpoint'));
    expect(offered).toHaveLength(4);
    const keys = (await (await fetch(server.jwks_uri)).json()) as { keys: object[] };
    expect(keys.keys).toMatchObject([{ crv: 'Ed25519', use: 'sig' }]);
  });

  it('behavior: any page may read them and fetch tokens, none may read the pages of the flow', async () => {
    const { server } = await discover(api.contexts[0].oauth.addresses.resource);
    const origin = 'https://assistant.example';
    const open = await fetch(server.token_endpoint, { method: 'POST', headers: { origin } });
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    const flow = await fetch(`${server.authorization_endpoint}?client_id=x`, { headers: { origin } });
    expect(flow.headers.get('access-control-allow-origin')).toBeNull();
    const page = await fetch(`${server.issuer}/interaction/x`, { headers: { origin } });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('behavior: addresses are made from the public one, whatever a request says of its host', async () => {
    const { resource } = api.contexts[0].oauth.addresses;
    const { server } = await discover(resource);
    const { client_id } = await register(server);
    const url = authorizeUrl(server, { client_id, resource, code_challenge: newPkce().challenge });
    const browser = newBrowser();
    const evil = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };
    const answer = await browser.get(url, evil);
    expect(answer.headers.get('location')).toMatch(/^\/functions\/v1\/oauth\/interaction\//);
    const page = new URL(answer.headers.get('location') as string, url).href;
    await signInOn(browser, page, newWallet());
    const consent = await browser.post(`${page}/consent`, allow());
    expect(consent.headers.get('location')).toMatch(new RegExp(`^${server.issuer}/authorize/`));
  });
});

it('behavior: sign-ins, consents and registrations count in the allowance of sign-ins', async () => {
  const limited = await oauthApi({ env: { RATE_LIMITS: JSON.stringify({ signIn: 3 }) } });
  const { server } = await discover(limited.contexts[0].oauth.addresses.resource);
  const statuses: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const answer = await fetch(server.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
  for (const path of ['challenge', 'sign-in', 'sign-out', 'consent']) {
    const answer = await newBrowser().post(`${server.issuer}/interaction/x/${path}`, new URLSearchParams());
    expect([path, answer.status]).toEqual([path, path === 'challenge' ? 400 : 429]);
  }
  await limited.stop();
});

it('behavior: over https the cookies are for https only', async () => {
  const secure = await oauthApi({ env: { PUBLIC_URL: 'https://pad.example' } });
  const { resource } = secure.contexts[0].oauth.addresses;
  const there = (url: string) => url.replace('https://pad.example', secure.urls[0]);
  const registered = await fetch(`${secure.urls[0]}/functions/v1/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const server = { authorization_endpoint: `${secure.urls[0]}/functions/v1/oauth/authorize` } as never;
  const browser = newBrowser();
  const url = authorizeUrl(server, { client_id, resource, code_challenge: newPkce().challenge });
  const page = await openPage(browser, url);
  for (const { line } of browser.cookies) expect(line).toMatch(/; secure/i);
  const own = { origin: 'https://pad.example' };
  const consent = await browser.post(`${page}/consent`, new URLSearchParams({ decision: 'deny' }), own);
  const resume = consent.headers.get('location') as string;
  expect(resume).toMatch(/^https:\/\/pad\.example\/functions\/v1\/oauth\/authorize\//);
  const back = await browser.get(there(resume));
  expect(back.headers.get('location')).toContain('iss=https%3A%2F%2Fpad.example%2Ffunctions%2Fv1%2Foauth');
  await secure.stop();
});
