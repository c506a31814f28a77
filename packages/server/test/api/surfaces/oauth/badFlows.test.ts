import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  authorizeUrl,
  type Browser,
  consentOn,
  discover,
  expectRefused,
  newBrowser,
  newPkce,
  newWallet,
  type OauthApi,
  oauthApi,
  openPage,
  redirectUri,
  register,
  type ServerDocument,
  signInOn,
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

describe('T2 a malformed authorization request gets no page', () => {
  const good = () => ({ client_id: clientId, resource, code_challenge: newPkce().challenge });
  const web = () => ({ ...good(), client_id: webClientId, redirect_uri: webRedirect });
  const S = (parameters: Record<string, string | undefined>) => () =>
    authorizeUrl(server, { ...good(), ...parameters });
  const W = (redirect_uri: string) => () => authorizeUrl(server, { ...web(), redirect_uri });

  const requests: Record<string, () => string> = {
    'a redirect of another host': W('https://evil.example/callback'),
    'a redirect to a host that begins the same': W('https://app.example.evil.example/callback'),
    'a redirect that names our host before an @': W('https://app.example@evil.example/callback'),
    'a redirect with a backslash': W('https://app.example\\@evil.example/callback'),
    'a redirect with more path': W('https://app.example/callback/more'),
    'a redirect with dots': W('https://app.example/callback/../callback'),
    'a redirect with another case': W('https://app.example/Callback'),
    'a redirect with a slash at its end': W('https://app.example/callback/'),
    'a redirect with a query': W('https://app.example/callback?next=https://evil.example'),
    'a redirect with a fragment': W('https://app.example/callback#x'),
    'a redirect with another port': W('https://app.example:8443/callback'),
    'a redirect by http': W('http://app.example/callback'),
    'a redirect to a loopback name that is none': W('http://127.0.0.1.evil.example:7777/callback'),
    'a redirect without a scheme': W('//app.example/callback'),
    'a redirect that is script': W('javascript:alert(document.domain)//https://app.example/callback'),
    'a redirect that is a document': W('data:text/html,<script>alert(1)</script>'),
    'a loopback redirect with another path': S({ redirect_uri: 'http://127.0.0.1:7777/other' }),
    'a loopback redirect to another loopback name': S({ redirect_uri: 'http://localhost:7777/callback' }),
    'no redirect': S({ redirect_uri: undefined }),
    'two redirects': () => `${authorizeUrl(server, good())}&redirect_uri=https%3A%2F%2Fevil.example`,
    'no PKCE': S({ code_challenge: undefined, code_challenge_method: undefined }),
    'plain PKCE': S({ code_challenge_method: 'plain' }),
    'PKCE without its method': S({ code_challenge_method: undefined }),
    'PKCE with an unknown method': S({ code_challenge_method: 'S512' }),
    'a challenge that is too short': S({ code_challenge: 'abc' }),
    'a token at once': S({ response_type: 'token' }),
    'an id token': S({ response_type: 'id_token', nonce: 'n' }),
    'a code and an id token': S({ response_type: 'code id_token', nonce: 'n' }),
    nothing: S({ response_type: undefined }),
    'an answer in the fragment': S({ response_mode: 'fragment' }),
    'an answer by form': S({ response_mode: 'form_post' }),
    'an answer by message': S({ response_mode: 'web_message' }),
    'no client': S({ client_id: undefined }),
    'an unknown client': S({ client_id: 'nobody' }),
    'two clients': () => `${authorizeUrl(server, good())}&client_id=${webClientId}`,
    'another resource': S({ resource: 'https://evil.example/mcp' }),
    'the API as resource': S({ resource: 'PUBLIC_URL' }),
    'the issuer as resource': S({ resource: 'ISSUER' }),
    'a resource with a slash more': S({ resource: 'RESOURCE/' }),
    'a resource with a fragment': S({ resource: 'RESOURCE#x' }),
    'ours and another resource': () => `${authorizeUrl(server, good())}&resource=https%3A%2F%2Fevil.example`,
    'only unknown scopes': S({ scope: 'admin everything' }),
    'two scopes parameters': () => `${authorizeUrl(server, { ...good(), scope: 'read' })}&scope=execute`,
    'no page, please': S({ prompt: 'none' }),
    'an unknown prompt': S({ prompt: 'create' }),
    'a request object': S({ request: 'eyJhbGciOiJub25lIn0.e30.' }),
    'a request by address': S({ request_uri: 'https://evil.example/request' }),
    'a registration in passing': S({ registration: '{}' }),
  };
  it.each(Object.entries(requests))('error: %s', async (_name, url) => {
    const filled = url()
      .replace('PUBLIC_URL', encodeURIComponent(api.contexts[0].config.publicUrl))
      .replace('ISSUER', encodeURIComponent(server.issuer))
      .replace('RESOURCE', encodeURIComponent(resource));
    const browser = newBrowser();
    await expectRefused(await browser.get(filled));
    expect(browser.cookies).toEqual([]);
  });

  it('behavior: the same requests with nothing wrong get their page', async () => {
    for (const parameters of [good(), web(), { ...good(), resource: undefined }, { ...good(), scope: 'openid read' }]) {
      expect(await openPage(newBrowser(), authorizeUrl(server, parameters))).toMatch(/\/interaction\//);
    }
  });

  it('behavior: a program on the machine may take another port (RFC 8252)', async () => {
    const parameters = { ...good(), redirect_uri: redirectUri.replace('7777', '51234') };
    expect(await openPage(newBrowser(), authorizeUrl(server, parameters))).toMatch(/\/interaction\//);
  });

  it('error: a form instead of a link', async () => {
    const { search } = new URL(authorizeUrl(server, good()));
    await expectRefused(await newBrowser().post(server.authorization_endpoint, new URLSearchParams(search)));
  });
});

describe('T2 a client that could not be trusted with a code is not registered', () => {
  const metadata: Record<string, unknown> = {
    'a redirect that is script': { redirect_uris: ['javascript:alert(1)'] },
    'a redirect that is script behind slashes': { redirect_uris: ['javascript://app.example/%0aalert(1)'] },
    'a redirect that is a document': { redirect_uris: ['data:text/html,x'] },
    'a redirect that is a file': { redirect_uris: ['file:///etc/passwd'] },
    'a redirect of a blob': { redirect_uris: ['blob:https://app.example/x'] },
    'a redirect by http': { redirect_uris: ['http://app.example/callback'] },
    'a scheme that anybody may have': { redirect_uris: ['myapp://callback'] },
    'a bad redirect behind a good one': { redirect_uris: [webRedirect, 'http://evil.example/'] },
    'a bad redirect of a native application': { application_type: 'native', redirect_uris: ['vbscript:x'] },
    'a redirect with a fragment': { redirect_uris: [`${webRedirect}#x`] },
    'a redirect with a password': { redirect_uris: ['https://a:b@app.example/callback'] },
    'a redirect with a backslash': { redirect_uris: ['https://app.example\\@evil.example'] },
    'a redirect with a line end': { redirect_uris: ['https://app.example/\r\nx-evil: 1'] },
    'a redirect that is no address': { redirect_uris: ['callback'] },
    'a redirect that is too long': { redirect_uris: [`${webRedirect}?${'x'.repeat(3_000)}`] },
    'a redirect that is no text': { redirect_uris: [7] },
    'no list of redirects': { redirect_uris: webRedirect },
    'no redirects': { redirect_uris: [] },
    'eleven redirects': { redirect_uris: Array.from({ length: 11 }, (_, at) => `${webRedirect}/${at}`) },
    'a list instead of an object': [],
    'a text instead of an object': 'client',
  };
  it.each(Object.entries(metadata))('error: %s', async (_name, body) => {
    const answer = await fetch(server.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
  });

  it('behavior: of a description only the harmless is kept, and every client is public', async () => {
    const kept = await register(server, {
      token_endpoint_auth_method: 'client_secret_post',
      client_name: ' Evil\u202e\u0001 <b>\n name ',
      logo_uri: 'http://127.0.0.1/logo.png',
      jwks_uri: 'http://127.0.0.1/keys',
      sector_identifier_uri: 'https://127.0.0.1/sector',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
      scope: 'admin',
    });
    expect(kept).toMatchObject({
      client_name: 'Evil <b> name',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    for (const gone of ['client_secret', 'logo_uri', 'jwks_uri', 'sector_identifier_uri', 'scope']) {
      expect(kept).not.toHaveProperty(gone);
    }
  });
});

/** Starts a flow up to its first page. */
const begin = async (parameters: Record<string, string> = {}) => {
  const [browser, pkce, wallet] = [newBrowser(), newPkce(), newWallet()];
  const request = { client_id: clientId, resource, code_challenge: pkce.challenge, scope: 'read prepare execute' };
  const page = await openPage(browser, authorizeUrl(server, { ...request, ...parameters }));
  return { browser, page, pkce, wallet };
};

const beginSignedIn = async (parameters: Record<string, string> = {}) => {
  const flow = await begin(parameters);
  const answer = await signInOn(flow.browser, flow.page, flow.wallet);
  expect(answer.status).toBe(303);
  return flow;
};

const challengeOn = async (browser: Browser, page: string, address: string): Promise<string> => {
  const answer = await browser.post(`${page}/challenge`, { address });
  return ((await answer.json()) as { message: string }).message;
};

const signed = async (browser: Browser, page: string, message: string, wallet = newWallet()): Promise<Response> =>
  browser.post(`${page}/sign-in`, new URLSearchParams({ message, signature: await wallet.signMessage({ message }) }));

/** Expects the sign-in page, with nobody signed in. */
const expectSignInPage = async (browser: Browser, page: string): Promise<void> => {
  expect(await (await browser.get(page)).text()).toContain('Sign in with wallet');
};

describe('T2 signing in', () => {
  it("error: another wallet's signature", async () => {
    const { browser, page, wallet } = await begin();
    const message = await challengeOn(browser, page, wallet.address);
    await expectRefused(await signed(browser, page, message));
    await expectSignInPage(browser, page);
  });

  it('error: the text of another flow', async () => {
    const [mine, victims] = [await begin(), await begin()];
    const message = await challengeOn(mine.browser, mine.page, victims.wallet.address);
    await expectRefused(await signed(victims.browser, victims.page, message, victims.wallet));
    await expectSignInPage(victims.browser, victims.page);
  });

  it('error: a text that was changed', async () => {
    const { browser, page, wallet } = await begin();
    const message = (await challengeOn(browser, page, wallet.address)).replace('127.0.0.1:7777', 'bank.example');
    await expectRefused(await signed(browser, page, message, wallet));
  });

  it('error: a text for the second time, also after a wrong signature', async () => {
    const { browser, page, wallet } = await begin();
    const message = await challengeOn(browser, page, wallet.address);
    await expectRefused(await signed(browser, page, message));
    await expectRefused(await signed(browser, page, message, wallet));
  });

  it('error: a text after five minutes', async () => {
    const { browser, page, wallet } = await begin();
    const message = await challengeOn(browser, page, wallet.address);
    api.clock.ms += 301_000;
    await expectRefused(await signed(browser, page, message, wallet));
  });

  it('error: the text of a sign-in to the API, and the other way round', async () => {
    const { browser, page, wallet } = await begin();
    const post = (path: string, body: object) =>
      newBrowser().post(`${api.urls[0]}/functions/v1${path}`, body, { accept: '*/*' });
    const challenge = (await (await post('/auth/challenge', { address: wallet.address })).json()) as {
      message: string;
    };
    await expectRefused(await signed(browser, page, challenge.message, wallet));
    const message = await challengeOn(browser, page, wallet.address);
    const login = await post('/auth/login', { message, signature: await wallet.signMessage({ message }) });
    expect(login.status).toBe(401);
  });

  it('error: no text, no signature, a signature that is none', async () => {
    const { browser, page, wallet } = await begin();
    const message = await challengeOn(browser, page, wallet.address);
    const forms: Record<string, string>[] = [{}, { message }, { message, signature: '0x00' }, { signature: '0x00' }];
    for (const form of forms) {
      await expectRefused(await browser.post(`${page}/sign-in`, new URLSearchParams(form)));
    }
    await expectSignInPage(browser, page);
  });

  it('behavior: the text says which application is let in, and for which site', async () => {
    const { browser, page, wallet } = await begin();
    const message = await challengeOn(browser, page, wallet.address);
    expect(message).toContain(`${new URL(server.issuer).host} wants you to sign in`);
    expect(message).toContain('to decide what the application at 127.0.0.1:7777 may do');
  });
});

describe('T2 consent', () => {
  const executing = { scope: ['execute'], chain: ['base-sepolia'], perTradeUsd: '5', perDayUsd: '10' };
  const forms: Record<string, Record<string, string | string[]>> = {
    'nothing chosen': { scope: [] },
    'a scope that does not exist': { scope: ['read', 'admin'] },
    'executing without a budget': { scope: ['execute'], chain: ['base-sepolia'] },
    'executing with a budget of 0': { ...executing, perTradeUsd: '0', perDayUsd: '0' },
    'executing with nothing a day': { ...executing, perDayUsd: '0' },
    'executing with more a trade than a day': { ...executing, perTradeUsd: '11' },
    'a negative budget': { ...executing, perTradeUsd: '-1' },
    'a budget with an exponent': { ...executing, perDayUsd: '1e9' },
    'a budget with a comma': { ...executing, perDayUsd: '1,000' },
    'a budget beyond all dollars': { ...executing, perDayUsd: '99999999999' },
    'an endless budget': { ...executing, perDayUsd: 'Infinity' },
    'executing nowhere': { ...executing, chain: [] },
    'a chain that is not served': { ...executing, chain: ['ethereum'] },
    'a chain that does not exist': { ...executing, chain: ['__proto__'] },
  };
  it.each(Object.entries(forms))('error: %s', async (_name, choices) => {
    const { browser, page } = await beginSignedIn();
    const answer = await browser.post(`${page}/consent`, allow(choices));
    await expectRefused(answer);
    expect(answer.status).toBe(400);
    // The form keeps what was typed, so that it can be corrected.
    const { searchParams } = await consentOn(browser, page, allow(executing));
    expect(searchParams.get('code')).toBeTruthy();
  });

  it('error: more than the application asked for', async () => {
    const { browser, page } = await beginSignedIn({ scope: 'read' });
    const shown = await (await browser.get(page)).text();
    expect(shown).not.toContain('name="scope" value="execute"');
    await expectRefused(await browser.post(`${page}/consent`, allow(executing)));
  });

  it('error: before anybody signed in', async () => {
    const { browser, page } = await begin();
    const answer = await browser.post(`${page}/consent`, allow());
    expect(answer.headers.get('location')).toBe(new URL(page).pathname);
    await expectSignInPage(browser, page);
  });

  it('error: without the cookie of the flow', async () => {
    const { page } = await beginSignedIn();
    await expectRefused(await newBrowser().post(`${page}/consent`, allow()));
    await expectRefused(await newBrowser().get(page));
    await expectRefused(await newBrowser().post(`${page}/challenge`, { address: newWallet().address }));
  });

  it("T4 error: with the cookie of another flow, whose user is not this one's", async () => {
    const [victim, thief] = [await beginSignedIn(), await beginSignedIn()];
    const cookie = thief.browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    await expectRefused(await newBrowser().post(`${victim.page}/consent`, allow(), { cookie }));
    await expectRefused(await newBrowser().get(victim.page, { cookie }));
  });

  it.each([
    ['the page of another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site, by the browser', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of ours', { 'sec-fetch-site': 'same-site' }],
  ])('error: sent by %s', async (_name, headers) => {
    const { browser, page } = await beginSignedIn();
    for (const path of ['consent', 'sign-in', 'sign-out']) {
      await expectRefused(await browser.post(`${page}/${path}`, allow(), headers as Record<string, string>));
    }
    await expectRefused(await browser.post(`${page}/challenge`, { address: newWallet().address }, headers as never));
  });

  it('error: a body that is no form', async () => {
    const { browser, page } = await beginSignedIn();
    await expectRefused(await browser.post(`${page}/consent`, { decision: 'allow', scope: 'read' }));
  });

  it('error: after ten minutes', async () => {
    const { browser, page } = await beginSignedIn();
    api.clock.ms += 601_000;
    await expectRefused(await browser.post(`${page}/consent`, allow()));
  });

  it('error: twice at once: one decision counts, one grant is made', async () => {
    const { browser, page, wallet } = await beginSignedIn();
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.post(`${page}/consent`, allow())));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const grants = await api.contexts[0].db
      .selectFrom('oauth_grant')
      .innerJoin('user_wallet', 'user_wallet.user_id', 'oauth_grant.user_id')
      .select('grant_id')
      .where('user_wallet.address', '=', wallet.address.toLowerCase() as `0x${string}`)
      .execute();
    expect(grants).toHaveLength(1);
  });

  it('error: the user does not allow it', async () => {
    for (const flow of [await begin(), await beginSignedIn()]) {
      const back = await consentOn(flow.browser, flow.page, new URLSearchParams({ decision: 'deny' }));
      expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
      expect(back.searchParams.get('state')).toBe('its own state');
    }
  });

  it('error: going on without it', async () => {
    for (const flow of [await begin(), await beginSignedIn()]) {
      const resume = flow.page.replace('/interaction/', '/authorize/');
      const answer = await flow.browser.get(resume);
      expect(answer.headers.get('location') ?? '').not.toContain('code=');
      const next = new URL(answer.headers.get('location') as string, resume).href;
      expect(await (await flow.browser.get(next)).text()).not.toContain('What may this application do?');
      await expectRefused(await newBrowser().get(resume));
    }
  });

  it('behavior: nobody is let in by an earlier consent, not even to the same application in the same browser', async () => {
    const { browser, page } = await beginSignedIn();
    await consentOn(browser, page, allow());
    for (const client_id of [clientId, webClientId]) {
      const redirect = client_id === webClientId ? webRedirect : redirectUri;
      const again = { client_id, resource, code_challenge: newPkce().challenge, redirect_uri: redirect };
      const next = await openPage(browser, authorizeUrl(server, again));
      await expectSignInPage(browser, next);
    }
  });

  it('behavior: the flow has two cookies, for its own paths, out of reach of scripts and other sites', async () => {
    const { browser, page } = await beginSignedIn();
    expect(browser.cookies.map(({ name }) => name).toSorted()).toEqual(['mintage_oauth', 'mintage_oauth_resume']);
    for (const { line, path } of browser.cookies) {
      expect(line).toMatch(/; httponly/i);
      expect(line).toMatch(/; samesite=lax/i);
      expect(path).toMatch(/^\/functions\/v1\/oauth\/(interaction|authorize)\/[\w-]{20,}$/);
    }
    await consentOn(browser, page, allow());
    expect(browser.cookies.map(({ name }) => name)).not.toContain('mintage_oauth_session');
  });
});

it('behavior: nothing of all this was a fault of ours', () => {
  expect(api.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
