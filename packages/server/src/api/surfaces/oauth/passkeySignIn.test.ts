import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  authorizeUrl,
  type Browser,
  codeForm,
  consentOn,
  discover,
  newBrowser,
  newPkce,
  newWallet,
  type OauthApi,
  oauthApi,
  openPage,
  register,
  type ServerDocument,
  signInOn,
  tokenOf,
} from '../../../../test/api/oauth/oauthFixture.ts';
import { createPasskey, type Deviations, type SoftPasskey, usePasskey } from '../../../../test/world/authenticator.ts';
import { basePath } from '../../wire/limits.ts';

let api: OauthApi;
let server: ServerDocument;
let clientId: string;
/** Of the page that people see. */
let origin: string;
beforeAll(async () => {
  api = await oauthApi({ host: 'localhost' });
  ({ server } = await discover(api.contexts[0].oauth.addresses.resource));
  clientId = (await register(server)).client_id;
  ({ origin } = new URL(server.issuer));
});
afterAll(() => api?.stop());

const begin = async () => {
  const [browser, pkce] = [newBrowser(), newPkce()];
  const { resource } = api.contexts[0].oauth.addresses;
  const request = { client_id: clientId, resource, code_challenge: pkce.challenge, scope: 'read prepare' };
  return { browser, pkce, page: await openPage(browser, authorizeUrl(server, request)) };
};
type Flow = Awaited<ReturnType<typeof begin>>;

const optionsOn = async ({ browser, page }: Flow, purpose: string) => {
  const answer = await browser.post(`${page}/passkey-options`, { purpose }, { accept: '*/*' });
  return { status: answer.status, options: ((await answer.json()) as { options: never }).options };
};
const submit = ({ browser, page }: Flow, purpose: string, credential: object | string): Promise<Response> => {
  const text = typeof credential === 'string' ? credential : JSON.stringify(credential);
  return browser.post(`${page}/passkey`, new URLSearchParams({ purpose, credential: text }));
};
const create = async (flow: Flow, given: Partial<Deviations> = {}) => {
  const { options } = await optionsOn(flow, 'register');
  const made = createPasskey(options, { origin, ...given });
  return { passkey: made.passkey, answer: await submit(flow, 'register', made.credential) };
};
const use = async (flow: Flow, passkey: SoftPasskey, given: Partial<Deviations> = {}): Promise<Response> => {
  const { options } = await optionsOn(flow, 'login');
  return submit(flow, 'login', usePasskey(passkey, options, { origin, ...given }));
};
const shown = async ({ browser, page }: { browser: Browser; page: string }) => (await browser.get(page)).text();
const callerOf = async (flow: Flow) => {
  const back = await consentOn(flow.browser, flow.page, allow());
  const code = back.searchParams.get('code') as string;
  const { body } = await tokenOf(server, codeForm({ clientId, code, pkce: flow.pkce }));
  return api.contexts[0].oauth.verifyToolToken(body.access_token as string);
};
const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(origin + basePath + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};

describe('signing in to an application by passkey', () => {
  it('default: an account is made, allows, and is the same when it signs in again', async () => {
    const first = await begin();
    expect(await shown(first)).toContain('Sign in with passkey');
    const { passkey, answer } = await create(first);
    expect(answer.status).toBe(303);
    const consent = await shown(first);
    const userId = Buffer.from(passkey.userHandle, 'base64url').toString('hex');
    expect(consent).toContain(`Signed in as Mintage ${userId.slice(0, 8)}`);
    const caller = await callerOf(first);
    expect(caller).toMatchObject({ method: 'grant', scopes: ['read', 'prepare'], wallets: [] });
    expect(caller?.userId.replaceAll('-', '')).toBe(userId);
    const second = await begin();
    expect((await use(second, passkey)).status).toBe(303);
    expect((await callerOf(second))?.userId).toBe(caller?.userId);
    // And in the web app.
    const { body } = await post('/auth/passkey/login-options', {});
    const login = await post('/auth/passkey/login', {
      credential: usePasskey(passkey, body.options as never, { origin }),
    });
    expect(login.body.userId).toBe(caller?.userId);
  });

  const refusedOn = async (flow: Flow, answer: Response): Promise<void> => {
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('Try again.');
    expect(await shown(flow)).toContain('Sign in with passkey');
  };

  it.each<[string, Partial<Deviations>]>([
    ['another origin', { origin: 'http://localhost:1' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a challenge that is not ours', { challenge: 'A'.repeat(43) }],
    ['a user who was not verified', { isVerified: false }],
  ])('error: %s', async (_what, given) => {
    const flow = await begin();
    await refusedOn(flow, (await create(flow, given)).answer);
    const { passkey } = await create(await begin());
    await refusedOn(flow, await use(flow, passkey, given));
  });

  it('T1 error: what was signed for one flow is worth nothing in another, or in the web app, nor the other way round', async () => {
    const { passkey } = await create(await begin());
    const [mine, victims] = [await begin(), await begin()];
    const { options } = await optionsOn(mine, 'login');
    const credential = usePasskey(passkey, options, { origin });
    await refusedOn(victims, await submit(victims, 'login', credential));
    expect((await post('/auth/passkey/login', { credential })).status).toBe(401);
    const { body } = await post('/auth/passkey/login-options', {});
    const ofApp = usePasskey(passkey, body.options as never, { origin });
    await refusedOn(mine, await submit(mine, 'login', ofApp));
    expect((await submit(mine, 'login', credential)).status).toBe(303);
  });

  it('error: a page of another site, another flow, no such purpose, nonsense', async () => {
    const flow = await begin();
    const other = { origin: 'https://evil.example' };
    const foreign = await flow.browser.post(`${flow.page}/passkey-options`, { purpose: 'login' }, other);
    expect(foreign.status).toBe(401);
    expect((await optionsOn({ ...flow, browser: newBrowser() }, 'login')).status).toBe(401);
    expect((await optionsOn(flow, 'both')).status).toBe(400);
    for (const text of ['', 'null', '[]', '{', '{}', '{"id":"AAAA"}', '{"__proto__":{}}']) {
      for (const purpose of ['login', 'register', 'both']) {
        const answer = await submit(flow, purpose, text);
        expect([text, purpose, answer.status]).toEqual([text, purpose, 400]);
      }
    }
    const bad = createPasskey((await optionsOn(flow, 'register')).options, { origin }).credential;
    const transports = ['usb\u0000'];
    const answer = await submit(flow, 'register', { ...bad, response: { ...bad.response, transports } });
    expect(answer.status).toBe(400);
  });

  it('behavior: a removed passkey signs in to no application', async () => {
    const { passkey } = await create(await begin());
    await api.contexts[0].db.deleteFrom('passkey').where('credential_id', '=', passkey.id).execute();
    const flow = await begin();
    await refusedOn(flow, await use(flow, passkey));
  });

  it('behavior: beside it a wallet signs in as before', async () => {
    const flow = await begin();
    const wallet = newWallet();
    expect((await signInOn(flow.browser, flow.page, wallet)).status).toBe(303);
    expect(await shown(flow)).toContain(`Signed in as ${wallet.address}`);
  });
});

it('behavior: at an address without a host name no passkey is offered, and none is taken', async () => {
  const plain = await oauthApi();
  try {
    const { resource } = plain.contexts[0].oauth.addresses;
    const { server: own } = await discover(resource);
    const client = await register(own);
    const [browser, pkce] = [newBrowser(), newPkce()];
    const request = { client_id: client.client_id, resource, code_challenge: pkce.challenge };
    const page = await openPage(browser, authorizeUrl(own, request));
    const text = await (await browser.get(page)).text();
    expect(text).toContain('Sign in with wallet');
    expect(text).not.toContain('with passkey');
    for (const purpose of ['login', 'register']) {
      expect((await browser.post(`${page}/passkey-options`, { purpose }, { accept: '*/*' })).status).toBe(404);
      expect((await browser.post(`${page}/passkey`, new URLSearchParams({ purpose, credential: '{}' }))).status).toBe(
        404,
      );
    }
  } finally {
    await plain.stop();
  }
});
