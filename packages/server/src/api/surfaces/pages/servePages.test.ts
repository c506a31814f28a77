import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../../test/api/testing/testApi.ts';

describe('servePages', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { PLATFORM_NAME: 'Acme Pad', BRAND_COLOR: '#3355ff' } });
  });
  afterAll(() => api?.stop());
  const get = (url: string, headers: Record<string, string> = {}) =>
    api.inject({ method: 'GET', url, headers: { host: 'localhost', ...headers } });
  const linked = (html: string): string[] =>
    [...html.matchAll(/(?:href|src)="(\/app\/[^"]+)"/g)].map(([, url]) => url ?? '');

  it('default: a page reads without scripts, in the words of the deployment', async () => {
    const { statusCode, body, headers } = await get('/');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<title>Market · Acme Pad</title>');
    expect(body).toMatch(/<h1[^>]*>Market<\/h1>/);
    expect(body).not.toContain('Mintage');
  });

  it('default: all that a page names is served for good, under its own type', async () => {
    const { body } = await get('/');
    const urls = linked(body);
    expect(urls.length).toBeGreaterThan(5);
    for (const url of urls) {
      const file = await get(url);
      expect([url, file.statusCode]).toEqual([url, 200]);
      expect(file.headers['cache-control']).toContain('immutable');
      expect(file.headers['content-type']).toMatch(/^(text\/(javascript|css); charset=utf-8|font\/woff2)$/);
    }
    expect((await get('/app/brand.css')).body).toContain('oklch(from #3355ff');
    expect((await get('/icon.svg')).body).toContain('#3355ff');
  });

  it('default: the worker that tells browsers is a script for all pages, asked for anew each time', async () => {
    const { statusCode, headers, body } = await get('/push.js');
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'no-cache',
    ]);
    expect(body).toContain('showNotification');
  });

  it('error: an address that is nowhere is a page for people, and an answer for programs', async () => {
    const people = { accept: 'text/html,application/xhtml+xml' };
    const page = await get('/prices?of=all', people);
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.body).toMatch(/<h1[^>]*>Not found<\/h1>/);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    for (const [url, headers] of [
      ['/prices', {}],
      ['/functions/v1/prices', people],
    ] as const) {
      const answer = await get(url, headers);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('behavior: a page that is known already is not sent again', async () => {
    const first = await get('/app/brand.css');
    const again = await get('/app/brand.css', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('behavior: pages that are asked for by this machine’s number are at its name; calls stay', async () => {
    const page = await get('/token/x?ref=1', { host: '127.0.0.1:8080' });
    expect([page.statusCode, page.headers.location]).toEqual([307, `${api.context.config.appUrl}/token/x?ref=1`]);
    expect((await get('/functions/v1/health', { host: '127.0.0.1:8080' })).statusCode).toBe(200);
  });

  it('error: a token that does not exist is a page that says so', async () => {
    const { statusCode, body, headers } = await get('/token/no-such-token');
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain('<meta name="robots" content="noindex">');
  });

  it('error: a file of another build is NOT_FOUND', async () => {
    const { statusCode, body } = await get('/app/client-gone.js');
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('behavior: an identity provider that says how is offered, and its token address alone may be asked', async () => {
    const login = {
      name: 'Example',
      clientId: 'pad',
      authorizeUrl: 'https://id.example/go',
      tokenUrl: 'https://t.id.example/x',
    };
    const issuers = [
      { issuer: 'a', jwksUrl: 'https://id.example/keys', audience: 'pad', login },
      { issuer: 'b', jwksUrl: 'https://id.example/keys', audience: 'api', login },
      { issuer: 'c', jwksUrl: 'https://tokens.example/keys', audience: 'api' },
    ];
    const other = await testApi({ env: { JWT_ISSUERS: JSON.stringify(issuers) } });
    const { body, headers } = await other.inject({ method: 'GET', url: '/account', headers: { host: 'localhost' } });
    await other.stop();
    const [, json = ''] = /<script type="application\/json" id="deployment">(.*?)<\/script>/.exec(body) ?? [];
    expect(JSON.parse(json).providers).toEqual([
      { ...login, token: 'id_token' },
      { ...login, token: 'access_token' },
    ]);
    const [, connect = ''] = /connect-src ([^;]*)/.exec(String(headers['content-security-policy'])) ?? [];
    expect(connect.split(' ')).toContain('https://t.id.example');
    expect(connect).not.toContain('tokens.example');
  });
});
