import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../../src/api/surfaces/rest/app.ts';
import { type TestApi, testApi } from '../../testing/testApi.ts';

let api: TestApi;
let app: ReturnType<typeof buildApp>;
beforeAll(async () => {
  api = await testApi();
  app = buildApp(api.context);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await api.stop();
});

/** Paths of every route, read from the router's printed tree, which indents by four characters a level. */
const everyPath = (): string[] => {
  const above: string[] = [];
  const paths = new Set<string>();
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const at = line.indexOf('── ');
    if (at === -1) continue;
    const [, part = '', methods] = /^(\S*)(?: \((.*)\))?$/.exec(line.slice(at + 3)) ?? [];
    const level = (at - 1) / 4;
    above.length = level;
    above[level] = part;
    if (methods !== undefined) paths.add(above.join('').replace(/:\w+|\*/g, 'x'));
  }
  return [...paths];
};

const kinds = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];

it('L5 every answer of every route says what a browser may do with it, and no page may do anything', async () => {
  const paths = [...everyPath(), '/', '/nothing', '/functions/v1/nothing', '/functions/v1/oauth/authorize?client_id=x'];
  expect(paths.length).toBeGreaterThan(80);
  let pages = 0;
  for (const url of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      for (const kind of method === 'POST' ? kinds : [undefined]) {
        const headers = { accept: 'text/html', ...(kind === undefined ? {} : { 'content-type': kind }) };
        const answer = await app.inject({ method, url, headers, ...(kind === undefined ? {} : { payload: '<' }) });
        const policy = String(answer.headers['content-security-policy']);
        expect([method, url, policy]).toEqual([method, url, expect.stringMatching(/^default-src 'none'(;|$)/)]);
        // The service's own address, by which pictures and streams are asked for.
        const elsewhere = policy.replace(/ (http|ws):\/\/127\.0\.0\.1:\d+/g, '');
        expect(elsewhere).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|wss?:/);
        expect(policy.match(/script-src[^;]*/)?.[0] ?? '').not.toContain('http');
        if (String(answer.headers['content-type']).startsWith('text/html')) {
          pages += 1;
          expect(policy, url).toMatch(url.startsWith('/embed/') ? /frame-ancestors \*/ : /frame-ancestors 'none'/);
        }
      }
    }
  }
  expect(pages).toBeGreaterThan(3);
});
