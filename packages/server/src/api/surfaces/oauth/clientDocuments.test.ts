import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizeUrl,
  discover,
  expectRefused,
  newBrowser,
  newPkce,
  type OauthApi,
  oauthApi,
  openPage,
  redirectUri,
  walk,
} from '../../../../test/api/oauth/oauthFixture.ts';
import { testCertificate } from '../../../../test/api/oauth/testCertificate.ts';
import { isLoopback, type ResolvedAddress } from '../../wire/publicHost.ts';

/** Answers of the client's site, by path. */
const pages = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>();
/** Number of connections to that site. */
let connections = 0;
let site: Server;
let port: number;
const certificate = testCertificate(['client.example', 'inner.example', 'mixed.example', 'localhost']);

/** Names that exist only here. */
const resolve = async (hostname: string): Promise<ResolvedAddress[]> => {
  const here: ResolvedAddress = { address: '127.0.0.1', family: 4 };
  const publicOne: ResolvedAddress = { address: '8.8.8.8', family: 4 };
  const found = { 'client.example': [here], 'inner.example': [here], 'mixed.example': [publicOne, here] }[hostname];
  if (found === undefined) throw new Error(`${hostname} does not exist`);
  return found;
};

/** One deployment that treats this machine as public, and one that does not. */
let api: OauthApi;
let strict: OauthApi;

beforeAll(async () => {
  site = createServer({ ...certificate, ...patientServer }, (request, response) => {
    const page = pages.get(request.url ?? '');
    if (request.url === '/never') return;
    response.writeHead(page?.status ?? (page ? 200 : 404), { 'content-type': 'application/json', ...page?.headers });
    response.end(page?.body ?? '');
  });
  site.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  ({ port } = site.address() as AddressInfo);
  const oauth = { resolve, ca: certificate.cert };
  [api, strict] = await Promise.all([oauthApi({ oauth: { ...oauth, isAllowed: isLoopback } }), oauthApi({ oauth })]);
});
afterAll(async () => {
  await Promise.all([api.stop(), strict.stop()]);
  site.closeAllConnections();
  await new Promise((done) => site.close(done));
});

const addressOf = (path: string, host = 'client.example') => `https://${host}:${port}${path}`;

/** Publishes a document, by default a good one. */
const publish = (path: string, change: Record<string, unknown> = {}): string => {
  const clientId = addressOf(path);
  const document = {
    client_id: clientId,
    client_name: 'Published Client',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  pages.set(path, { body: JSON.stringify({ ...document, ...change }) });
  return clientId;
};

const request = async (to: OauthApi, client_id: string) => {
  const { resource } = to.contexts[0].oauth.addresses;
  const { server } = await discover(resource);
  return authorizeUrl(server, { client_id, resource, code_challenge: newPkce().challenge });
};

describe('a client that publishes its description', () => {
  it('default: needs no registration, and its page says who publishes it', async () => {
    const before = connections;
    const clientId = publish('/good');
    const browser = newBrowser();
    const page = await openPage(browser, await request(api, clientId));
    const shown = await (await browser.get(page)).text();
    expect(connections).toBe(before + 1);
    expect(shown).toContain('Published Client');
    expect(shown).toContain(`client.example:${port}`);
    const { tokens } = await walk(api, { clientId });
    expect(await api.contexts[1].oauth.verifyToolToken(tokens.access_token as string)).not.toBeNull();
    expect(tokens.refresh_token).toBeTruthy();
  });

  it.each<[string, Record<string, unknown>]>([
    ['names another client', { client_id: 'https://client.example/other' }],
    ['names none', { client_id: undefined }],
    ['keeps a secret', { client_secret: 'secret' }],
    ['proves itself by a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['sends codes to script', { redirect_uris: ['javascript:alert(1)'] }],
    ['sends codes by http', { redirect_uris: ['http://evil.example/'] }],
    ['sends codes nowhere', { redirect_uris: [] }],
    ['is long', { client_name: 'x'.repeat(20_000) }],
  ])('error: the document %s', async (what, change) => {
    const clientId = publish(`/${encodeURIComponent(what)}`, change);
    await expectRefused(await newBrowser().get(await request(api, clientId)));
  });

  it.each([
    ['is not there', '/gone', {}],
    ['is elsewhere', '/moved', { status: 302, headers: { location: '/good' }, body: '' }],
    ['is forbidden', '/forbidden', { status: 403, body: '{}' }],
    ['is no JSON', '/text', { body: '<html>' }],
    ['is a list', '/list', { body: '[]' }],
    ['is empty', '/empty', { body: '' }],
    ['never comes', '/never', {}],
  ])('error: the document %s', async (_what, path, page) => {
    if ('body' in page) pages.set(path, page as { body: string });
    await expectRefused(await newBrowser().get(await request(api, addressOf(path))));
  });

  it('error: a site whose certificate nobody vouches for', async () => {
    const stranger = await oauthApi({ oauth: { resolve, isAllowed: isLoopback } });
    await expectRefused(await newBrowser().get(await request(stranger, publish('/good'))));
    await stranger.stop();
  });
});

describe('M1 a document at an inner address is not fetched', () => {
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '[fd00::1]',
    'inner.example',
    'mixed.example',
    'nowhere.example',
  ];
  it.each(hosts)('error: %s', async (host) => {
    const before = connections;
    publish('/inner');
    await expectRefused(await newBrowser().get(await request(strict, addressOf('/inner', host))));
    expect(connections).toBe(before);
  });

  it.each([
    ['by http', (url: string) => url.replace('https:', 'http:')],
    ['with a fragment', (url: string) => `${url}#x`],
    ['with a password', (url: string) => url.replace('https://', 'https://user:password@')],
    ['with dots', (url: string) => url.replace('/inner', '/x/../inner')],
    ['with a backslash', (url: string) => url.replace('/inner', '\\inner')],
    ['of a file', () => 'file:///etc/passwd'],
    ['of a socket', () => 'unix:///var/run/docker.sock'],
  ])('error: an address %s, also of a site that is allowed', async (_what, change) => {
    const before = connections;
    await expectRefused(await newBrowser().get(await request(api, change(publish('/inner')))));
    expect(connections).toBe(before);
  });
});
