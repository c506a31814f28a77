import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { freePort } from '@mintage/devnet/freePort';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ServiceContext } from '../../../src/api/surfaces/serviceContext.ts';
import { configFromEnv, withPort } from '../../../src/config.ts';
import { type ApiOptions, startApiWorld, unlimited } from '../../world/apiWorld.ts';
import { testChain } from '../testing/testApi.ts';

/** Two processes of one deployment: two servers on one database, both known by the address of the first. */
export interface OauthApi {
  contexts: readonly [ServiceContext, ServiceContext];
  /** Of the two servers. */
  urls: readonly [string, string];
  clock: { ms: number };
  logged: Record<string, unknown>[];
  stop(): Promise<void>;
}

export interface OauthApiOptions extends ApiOptions {
  env?: Record<string, string>;
  /** Host name by which the service and the web app are known; absent: an address, at which there are no passkeys. */
  host?: string;
}

export const oauthApi = async ({ env, host, ...options }: OauthApiOptions = {}) => {
  const chains = ['base-sepolia', 'unichain-testnet'].map((slug) => testChain(slug, 'http://127.0.0.1:1'));
  const world = await startApiWorld({ chains, ...options });
  const port = await freePort();
  const known = host === undefined ? {} : { PUBLIC_URL: `http://${host}:${port}` };
  const config = withPort(
    configFromEnv({ RATE_LIMITS: JSON.stringify({ ...JSON.parse(unlimited), toolAnonymous: 1e9 }), ...known, ...env }),
    port,
  );
  const [one, two] = await Promise.all([world.start(config), world.start(config)]);
  const urls = await Promise.all([
    one.app.listen({ port, host: '127.0.0.1' }),
    two.app.listen({ port: 0, host: '127.0.0.1' }),
  ]);
  return {
    contexts: [one.context, two.context],
    urls,
    clock: world.clock,
    logged: world.logged,
    async stop() {
      for (const { app } of [one, two]) app.server.closeAllConnections();
      await world.stop();
    },
  } satisfies OauthApi;
};

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** As much of a browser as a flow needs: cookies by path. Callers follow redirects themselves. */
export interface Browser {
  get(url: string, headers?: Record<string, string>): Promise<Response>;
  post(url: string, form: URLSearchParams | object, headers?: Record<string, string>): Promise<Response>;
  cookies: { name: string; value: string; path: string; line: string }[];
}

export const newBrowser = (): Browser => {
  const cookies: Browser['cookies'] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url);
    const sent = cookies.filter(({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')));
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
      const at = cookies.findIndex((one) => one.name === name && one.path === path);
      if (at !== -1) cookies.splice(at, 1);
      if (value !== '') cookies.push({ name, value, path, line });
    }
    return answer;
  };
  return {
    cookies,
    get: (url, headers = {}) => send(url, { headers: { accept: 'text/html', ...headers } }),
    post(url, form, headers = {}) {
      const isForm = form instanceof URLSearchParams;
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const { origin } = new URL(url);
      const usual = { 'content-type': type, accept: 'text/html', origin, 'sec-fetch-site': 'same-origin' };
      const body = isForm ? form.toString() : JSON.stringify(form);
      return send(url, { method: 'POST', headers: { ...usual, ...headers }, body });
    },
  };
};

/** The PKCE values of one request, by which the client later proves that it made it. */
export interface Pkce {
  verifier: string;
  challenge: string;
}

export const newPkce = (): Pkce => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

export interface ServerDocument {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint: string;
  jwks_uri: string;
}

const get = async (address: string) => (await fetch(address)).json() as Promise<Record<string, never>>;

/** Discovers all endpoints from the address of the tool server alone, as a new client does. */
export const discover = async (resource: string) => {
  const url = new URL(resource);
  const protectedResource = await get(`${url.origin}/.well-known/oauth-protected-resource${url.pathname}`);
  const issuer = new URL(protectedResource.authorization_servers?.[0] as unknown as string);
  const server = await get(`${issuer.origin}/.well-known/oauth-authorization-server${issuer.pathname}`);
  return { protectedResource, server: server as unknown as ServerDocument };
};

/** Of a program on the user's machine, and of a web application. */
export const redirectUri = 'http://127.0.0.1:7777/callback';
export const webRedirect = 'https://app.example/callback';

export const register = async (server: ServerDocument, metadata: object = {}): Promise<{ client_id: string }> => {
  const answer = await fetch(server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Strange Client', redirect_uris: [redirectUri], ...metadata }),
  });
  if (answer.status !== 201) throw new Error(`Registration: ${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<{ client_id: string }>;
};

export const authorizeUrl = (server: ServerDocument, parameters: Record<string, string | undefined>): string => {
  const url = new URL(server.authorization_endpoint);
  const usual = {
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state: 'its own state',
  };
  for (const [name, value] of Object.entries({ ...usual, ...parameters })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
};

/** The address of the page that an authorization request leads to. */
export const openPage = async (browser: Browser, url: string): Promise<string> => {
  const answer = await browser.get(url);
  const location = answer.headers.get('location') ?? '';
  if (answer.status !== 303 || !/\/interaction\//.test(location)) {
    throw new Error(`No page: ${answer.status} ${location} ${await answer.text()}`);
  }
  return new URL(location, url).href;
};

/** Signs in on the page as its script does. */
export const signInOn = async (browser: Browser, page: string, wallet: PrivateKeyAccount): Promise<Response> => {
  const challenge = await browser.post(`${page}/challenge`, { address: wallet.address }, { accept: '*/*' });
  const { message } = (await challenge.json()) as { message: string };
  const signature = await wallet.signMessage({ message });
  // A form sends line ends as CR LF.
  const form = new URLSearchParams({ message: message.replaceAll('\n', '\r\n'), signature });
  return browser.post(`${page}/sign-in`, form);
};

export const allow = (choices: Record<string, string | string[]> = {}): URLSearchParams => {
  const form = new URLSearchParams({ decision: 'allow' });
  for (const [name, values] of Object.entries({ scope: ['read', 'prepare'], ...choices })) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return form;
};

/** From consent to what the client receives at its redirect. */
export const consentOn = async (browser: Browser, page: string, form: URLSearchParams): Promise<URL> => {
  const consent = await browser.post(`${page}/consent`, form);
  const resume = consent.headers.get('location');
  if (consent.status !== 303 || resume === null) throw new Error(`Consent: ${consent.status} ${await consent.text()}`);
  const answer = await browser.get(resume);
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null)
    throw new Error(`Resume ${resume}: ${answer.status} ${await answer.text()}`);
  return new URL(location);
};

export const tokenOf = async (
  server: Pick<ServerDocument, 'token_endpoint'>,
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> => {
  const answer = await fetch(server.token_endpoint, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

export interface Walked {
  server: ServerDocument;
  clientId: string;
  wallet: PrivateKeyAccount;
  pkce: Pkce;
  code: string;
  tokens: Record<string, string>;
}

export interface Walk {
  clientId?: string;
  wallet?: PrivateKeyAccount;
  scope?: string;
  choices?: Record<string, string | string[]>;
}

/** Up to the code. */
export const walkToCode = async (api: OauthApi, walk: Walk = {}): Promise<Omit<Walked, 'tokens'>> => {
  const { resource } = api.contexts[0].oauth.addresses;
  const { server } = await discover(resource);
  const clientId = walk.clientId ?? (await register(server)).client_id;
  const [browser, wallet, pkce] = [newBrowser(), walk.wallet ?? newWallet(), newPkce()];
  const { scope } = walk;
  const request = {
    client_id: clientId,
    resource,
    code_challenge: pkce.challenge,
    ...(scope === undefined ? {} : { scope }),
  };
  const page = await openPage(browser, authorizeUrl(server, request));
  await signInOn(browser, page, wallet);
  const back = await consentOn(browser, page, allow(walk.choices));
  return { server, clientId, wallet, pkce, code: back.searchParams.get('code') as string };
};

/** The whole way, up to the first tokens. */
export const walk = async (api: OauthApi, options: Walk = {}): Promise<Walked> => {
  const walked = await walkToCode(api, options);
  const { status, body } = await tokenOf(walked.server, codeForm(walked));
  if (status !== 200) throw new Error(`Token: ${status} ${JSON.stringify(body)}`);
  return { ...walked, tokens: body };
};

export const codeForm = ({ clientId, code, pkce }: Pick<Walked, 'clientId' | 'code' | 'pkce'>) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: redirectUri,
  code_verifier: pkce.verifier,
});

/**
 * Expects a refusal: an error answer, or a redirect to the client with an error; never a code, a token, another
 * destination or a fault of ours.
 */
export const expectRefused = async (answer: Response): Promise<void> => {
  const location = answer.headers.get('location');
  if (location === null) {
    assert(answer.status >= 400 && answer.status < 500, `answered with ${answer.status}`);
    assert.doesNotMatch(await answer.text(), /"access_token"|"refresh_token"/);
    return;
  }
  assert.equal(answer.status, 303);
  const [to = '', answered = ''] = location.split(/[?#](.*)/);
  assert([redirectUri, webRedirect].includes(to), `led to ${location}`);
  const parameters = new URLSearchParams(answered);
  assert.match(parameters.get('error') ?? '', /^\w+$/);
  assert.equal(parameters.get('code'), null);
};
