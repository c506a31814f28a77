import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeUrl,
  discover,
  newBrowser,
  newPkce,
  type OauthApi,
  oauthApi,
  redirectUri,
  register,
  type ServerDocument,
  walk,
  webRedirect,
} from '../../oauth/oauthFixture.ts';

let api: OauthApi;
let server: ServerDocument;
let resource: string;

beforeAll(async () => {
  api = await oauthApi();
  ({ resource } = api.contexts[0].oauth.addresses);
  ({ server } = await discover(resource));
});
afterAll(() => api.stop());

/** Faulty requests by name: parameters to replace, or text appended to a good request. */
const wrong: Record<string, Record<string, string | undefined> | string> = {
  'scopes that do not exist': { scope: 'x' },
  'scopes twice': '&scope=read&scope=x',
  'nobody may be asked': { prompt: 'none' },
  'nobody may be asked, and somebody must': { prompt: 'none login' },
  'a prompt that does not exist': { prompt: 'create' },
  'an implicit token': { response_type: 'token' },
  'a hybrid answer': { response_type: 'code id_token' },
  'no kind of answer': { response_type: undefined },
  'an unknown kind of answer': { response_type: 'cheese' },
  'no proof': { code_challenge: undefined, code_challenge_method: undefined },
  'a plain proof': { code_challenge_method: 'plain' },
  'a malformed proof': { code_challenge: 'x' },
  'another resource': { resource: 'https://evil.example/mcp' },
  'a malformed resource': { resource: 'x' },
  'two resources': `&resource=https://evil.example/mcp`,
  'a request object': { request: 'eyJhbGciOiJub25lIn0.e30.' },
  'a request by address': { request_uri: 'https://evil.example/request' },
  'a pushed request': { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
  'a registration': { registration: '{}' },
  'a negative age': { max_age: '-1' },
  'a hint that is none': { id_token_hint: 'x' },
  'a state twice': '&state=other',
  'an answer in the fragment': { response_mode: 'fragment' },
  'an answer as a form': { response_mode: 'form_post' },
  'an answer as a message': { response_mode: 'web_message' },
  'an answer as a token': { response_mode: 'jwt' },
  'an answer as a token in the query': { response_mode: 'query.jwt' },
  'an answer as a form and nobody asked': { response_mode: 'form_post', prompt: 'none' },
  'an answer in the fragment and no scope': { response_mode: 'fragment', scope: 'x' },
  'two ways of answering': '&response_mode=query&response_mode=form_post&scope=x',
};

const ask = (clientId: string, redirect: string, name: string): Promise<Response> => {
  const more = wrong[name] ?? {};
  const good = { client_id: clientId, resource, code_challenge: newPkce().challenge, redirect_uri: redirect };
  const url = authorizeUrl(server, { ...good, ...(typeof more === 'string' ? {} : more) });
  return newBrowser().get(typeof more === 'string' ? url + more : url);
};

const expectOwnPage = async (answer: Response): Promise<void> => {
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  const text = await answer.text();
  expect(text).toContain('This connection cannot be made');
  expect(text).not.toMatch(/<script|evil\.example"|<form/);
};

describe('a client that nobody has allowed anything', () => {
  it.each(Object.keys(wrong))('H16 gets its error on our page: %s', async (name) => {
    for (const redirect of [redirectUri, webRedirect]) {
      const { client_id } = await register(server, { redirect_uris: [redirect] });
      await expectOwnPage(await ask(client_id, redirect, name));
    }
  });
});

describe('a client that a user allowed something', () => {
  /** Requests for a response mode that is not offered. */
  const onOurPage = /^an answer|^two ways/;

  it('H16 gets its error at its own address, and nowhere else', async () => {
    const { clientId } = await walk(api);
    for (const name of Object.keys(wrong)) {
      const answer = await ask(clientId, redirectUri, name);
      if (onOurPage.test(name)) {
        await expectOwnPage(answer);
        continue;
      }
      const location = answer.headers.get('location') ?? '';
      expect([name, answer.status, location.split(/[?#]/)[0]]).toEqual([name, 303, redirectUri]);
      const { searchParams } = new URL(location.replace('#', '?'));
      const state = name === 'a state twice' ? null : 'its own state';
      expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([state, server.issuer]);
      expect(searchParams.get('error')).toMatch(/^\w+$/);
      expect(searchParams.get('code')).toBeNull();
    }
  });

  it('H16 behavior: only at the host that the user was told of, and only while the user allows it', async () => {
    const { client_id: clientId } = await register(server, { redirect_uris: [redirectUri, webRedirect] });
    const { wallet } = await walk(api, { clientId });
    expect((await ask(clientId, redirectUri, 'nobody may be asked')).status).toBe(303);
    await expectOwnPage(await ask(clientId, webRedirect, 'nobody may be asked'));
    const [{ db }] = api.contexts;
    const owner = db
      .selectFrom('user_wallet')
      .select('user_id')
      .where('address', '=', wallet.address.toLowerCase() as `0x${string}`);
    await db.updateTable('oauth_grant').set({ revoked_at: new Date() }).where('user_id', '=', owner).execute();
    await expectOwnPage(await ask(clientId, redirectUri, 'nobody may be asked'));
  });
});

describe('every page', () => {
  it('L5 no answer as a form, not even after consent', async () => {
    const { clientId } = await walk(api);
    await expectOwnPage(await ask(clientId, redirectUri, 'an answer as a form'));
  });
});
