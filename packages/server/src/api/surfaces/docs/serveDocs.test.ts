import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../../test/api/testing/testApi.ts';

describe('serveDocs', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi({ env: { PUBLIC_URL: 'https://api.example/acme', PLATFORM_NAME: 'Acme Pad' } });
  });
  afterAll(() => api?.stop());
  const get = (url: string, headers: Record<string, string> = {}) => api.inject({ method: 'GET', url, headers });

  it('default: pages that load nothing from elsewhere, at the root and where they were before', async () => {
    const [first, before] = [await get('/docs'), await get('/functions/v1/docs')];
    expect(before.body).toBe(first.body);
    for (const { statusCode, headers } of [first, before]) {
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    }
    expect(first.body).toContain('<title>Acme Pad documentation</title>');
    expect(first.body).toContain('<link rel="stylesheet" href="/acme/docs/docs.css">');
    expect((await get('/docs/')).body).toBe(first.body);
    const page = await get('/docs/reference/tradeToken');
    expect(page.body).toContain('<h1>tradeToken</h1>');
    expect((await get('/docs/reference/tradeToken.md')).headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect((await get('/docs/docs.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('behavior: is compressed as the client asks, and not sent again while it is the same', async () => {
    const url = '/docs/reference/tradeToken';
    const plain = await get(url);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const [brotli, gzip] = [
      await get(url, { 'accept-encoding': 'gzip, br' }),
      await get(url, { 'accept-encoding': 'br;q=0, gzip' }),
    ];
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(brotli.headers.vary).toBe('accept-encoding');
    const tag = String(brotli.headers.etag);
    const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': `"other", W/${tag}` });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag]);
    expect((await get(url, { 'if-none-match': tag })).statusCode).toBe(200);
  });

  it('error: what there is not, and what leads out of it, is not found', async () => {
    for (const url of ['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/__proto__']) {
      const { statusCode, headers } = await get(url);
      expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'application/json; charset=utf-8']);
    }
    expect((await api.inject({ method: 'POST', url: '/docs' })).statusCode).toBe(404);
  });

  it('behavior: llms.txt is the same at the root, below the base path and in the documentation', async () => {
    const [root, below, within] = [
      await get('/llms.txt'),
      await get('/functions/v1/llms.txt'),
      await get('/docs/llms.txt'),
    ];
    expect([root.statusCode, root.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect([below.body, within.body]).toEqual([root.body, root.body]);
  });
});
