import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeForm,
  discover,
  expectRefused,
  newBrowser,
  newPkce,
  type OauthApi,
  oauthApi,
  register,
  type ServerDocument,
  tokenOf,
  walk,
  walkToCode,
  webRedirect,
} from '../../oauth/oauthFixture.ts';

let api: OauthApi;
let server: ServerDocument;
let resource: string;
/** A program on the user's machine, and a web application. */
let clientId: string;
let webClientId: string;

beforeAll(async () => {
  api = await oauthApi();
  ({ resource } = api.contexts[0].oauth.addresses);
  ({ server } = await discover(resource));
  ({ client_id: clientId } = await register(server));
  ({ client_id: webClientId } = await register(server, { redirect_uris: [webRedirect] }));
});
afterAll(() => api.stop());

describe('T2 exchanging', () => {
  const changed: Record<string, (form: Record<string, string>) => Record<string, string>> = {
    "with another client's name": (form) => ({ ...form, client_id: webClientId }),
    'with an unknown client': (form) => ({ ...form, client_id: 'nobody' }),
    'with another verifier': (form) => ({ ...form, code_verifier: newPkce().verifier }),
    'with the challenge as verifier': (form) => ({
      ...form,
      code_verifier: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    }),
    'with a short verifier': (form) => ({ ...form, code_verifier: 'abc' }),
    'with another redirect': (form) => ({ ...form, redirect_uri: 'http://127.0.0.1:7778/callback' }),
    'as a refresh token': ({ code, ...form }) => ({
      ...form,
      grant_type: 'refresh_token',
      refresh_token: code as string,
    }),
    'by password': (form) => ({ ...form, grant_type: 'password', username: 'u', password: 'p' }),
    'as the client itself': (form) => ({ ...form, grant_type: 'client_credentials', scope: 'execute' }),
    'as a device': (form) => ({ ...form, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }),
    'as an unknown kind': (form) => ({ ...form, grant_type: 'magic' }),
    'with a code that is none': (form) => ({ ...form, code: 'x'.repeat(43) }),
  };
  const without = (name: string) => (form: Record<string, string>) => {
    const { [name]: _, ...rest } = form;
    return rest;
  };
  for (const name of ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier']) {
    changed[`without its ${name}`] = without(name);
  }
  it.each(Object.entries(changed))('error: a code %s', async (_name, change) => {
    const walked = await walkToCode(api, { clientId });
    const { status, body } = await tokenOf(server, change(codeForm(walked)));
    expect([status === 400 || status === 401, body.access_token]).toEqual([true, undefined]);
    // None of these attempts used up the code or returned tokens.
    expect((await tokenOf(server, codeForm(walked))).status).toBe(200);
  });

  it('error: a code for another resource; it is used up by that', async () => {
    const walked = await walkToCode(api, { clientId });
    const { body } = await tokenOf(server, { ...codeForm(walked), resource: 'https://evil.example/mcp' });
    expect(body).toMatchObject({ error: 'invalid_target' });
    expect(await tokenOf(server, codeForm(walked))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('error: a code after 60 seconds', async () => {
    const walked = await walkToCode(api, { clientId });
    api.clock.ms += 60_000;
    expect(await tokenOf(server, codeForm(walked))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('error: a code twice: the second time ends what the first gave', async () => {
    const walked = await walk(api, { clientId });
    const [one] = api.contexts;
    expect(await one.oauth.verifyToolToken(walked.tokens.access_token as string)).not.toBeNull();
    expect(await tokenOf(server, codeForm(walked))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expectEnded(walked.tokens, clientId);
  });

  it('error: a code many times at once, at both processes: at most one gets tokens, and they end', async () => {
    const walked = await walkToCode(api, { clientId });
    const at = (url: string) => ({ token_endpoint: server.token_endpoint.replace(api.urls[0], url) });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => tokenOf(at(api.urls[turn % 2] as string), codeForm(walked))),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    for (const { body } of given) await expectEnded(body, clientId);
  });

  it('error: a code in JSON', async () => {
    const walked = await walkToCode(api, { clientId });
    const answer = await newBrowser().post(server.token_endpoint, codeForm(walked));
    await expectRefused(answer);
  });
});

/** Expects both tokens to be refused by every process within 5 seconds. */
const expectEnded = async (tokens: Record<string, string>, client_id: string): Promise<void> => {
  api.clock.ms += 4_001;
  for (const { oauth } of api.contexts) expect(await oauth.verifyToolToken(tokens.access_token as string)).toBeNull();
  const refresh_token = tokens.refresh_token as string;
  const refreshed = await tokenOf(server, { grant_type: 'refresh_token', client_id, refresh_token });
  expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
};

describe('T2 refreshing', () => {
  const refresh = (refresh_token: string | undefined, more: Record<string, string> = {}) =>
    tokenOf(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh_token ?? '', ...more });

  it('default: each refresh token gives the next one, with the same grant', async () => {
    const { tokens } = await walk(api, { clientId });
    const [one] = api.contexts;
    const caller = await one.oauth.verifyToolToken(tokens.access_token as string);
    let last = tokens;
    for (let turn = 0; turn < 3; turn += 1) {
      api.clock.ms += 601_000;
      expect(await one.oauth.verifyToolToken(last.access_token as string)).toBeNull();
      const next = await refresh(last.refresh_token);
      expect(next.status).toBe(200);
      expect(next.body.refresh_token).not.toBe(last.refresh_token);
      expect(await one.oauth.verifyToolToken(next.body.access_token as string)).toEqual(caller);
      last = next.body;
    }
  });

  it('behavior: a token may be asked for that allows less than its grant', async () => {
    const { tokens } = await walk(api, { clientId });
    const { body } = await refresh(tokens.refresh_token, { scope: 'read' });
    const caller = await api.contexts[1].oauth.verifyToolToken(body.access_token as string);
    expect(caller?.scopes).toEqual(['read']);
  });

  it('error: a token used before ends the whole grant', async () => {
    const { tokens } = await walk(api, { clientId });
    const { body } = await refresh(tokens.refresh_token);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    await expectEnded(body, clientId);
  });

  it('error: a token many times at once, at both processes: at most one goes on, and it ends', async () => {
    const { tokens } = await walk(api, { clientId });
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token as string };
    const at = (url: string) => ({ token_endpoint: server.token_endpoint.replace(api.urls[0], url) });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => tokenOf(at(api.urls[turn % 2] as string), form)),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { body } of given) await expectEnded(body, clientId);
    await expectEnded(tokens, clientId);
  });

  it.each<[string, Record<string, string>]>([
    ['for more scopes', { scope: 'read prepare execute' }],
    ['for another resource', { resource: 'https://evil.example/mcp' }],
    ["with another client's name", { client_id: 'WEB' }],
    ['without a client', { client_id: '' }],
    ['that is none', { refresh_token: 'x'.repeat(43) }],
    ['as a code', { grant_type: 'authorization_code' }],
  ])('error: a token %s', async (_name, change) => {
    const { tokens } = await walk(api, { clientId });
    const more = change.client_id === 'WEB' ? { client_id: webClientId } : change;
    const { status, body } = await refresh(tokens.refresh_token, more);
    expect([status === 400 || status === 401, body.access_token]).toEqual([true, undefined]);
  });

  it('error: a token after 30 days, and any after the 90 of the grant', async () => {
    const [old, used] = [await walk(api, { clientId }), await walk(api, { clientId })];
    api.clock.ms += 30 * 86_400_000;
    expect((await refresh(old.tokens.refresh_token)).status).toBe(400);
    const late = await walk(api, { clientId });
    let last = late.tokens;
    for (let turn = 0; turn < 3; turn += 1) {
      api.clock.ms += 29 * 86_400_000;
      last = (await refresh(last.refresh_token)).body;
      expect(last.refresh_token).toBeTruthy();
    }
    api.clock.ms += 4 * 86_400_000;
    expect((await refresh(last.refresh_token)).status).toBe(400);
    expect((await refresh(used.tokens.refresh_token)).status).toBe(400);
  });

  it('error: a token that its client gave back (RFC 7009); another client cannot', async () => {
    const { tokens } = await walk(api, { clientId });
    const other = await register(server);
    const revoke = (client_id: string) =>
      fetch(server.revocation_endpoint, {
        method: 'POST',
        body: new URLSearchParams({ client_id, token: tokens.refresh_token as string }),
      });
    expect((await revoke(other.client_id)).status).toBe(200);
    const { body } = await refresh(tokens.refresh_token);
    expect(body.access_token).toBeTruthy();
    const again = new URLSearchParams({ client_id: clientId, token: body.refresh_token as string });
    expect((await fetch(server.revocation_endpoint, { method: 'POST', body: again })).status).toBe(200);
    await expectEnded(body, clientId);
  });
});

it('behavior: nothing of all this was a fault of ours', () => {
  expect(api.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
