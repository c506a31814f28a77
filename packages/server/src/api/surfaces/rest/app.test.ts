import { commonErrors, errorCatalogue, type Operation, routesOf } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInOperator } from '../../../../test/api/testing/operator.ts';
import { type TestApi, testApi } from '../../../../test/api/testing/testApi.ts';
import { handlers } from '../../handlers/generated/handlers.ts';
import { anonymousBodyLimit, basePath, mediaBodyLimit, usualBodyLimit } from '../../wire/limits.ts';
import { buildApp } from './app.ts';

const list: readonly Operation[] = operations;
const posts = list.filter(({ method }) => method === 'POST');

describe('buildApp', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
    api.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
  const challenge = `${basePath}/auth/challenge`;

  it('default: below the base path, and some at the root', async () => {
    for (const url of ['/functions/v1/health', '/functions/v1/health/', '/health']) {
      const answer = await api.inject({ method: 'GET', url });
      expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"ok"}']);
    }
    expect((await api.inject({ method: 'GET', url: '/chains' })).statusCode).toBe(404);
  });

  it('A7 every operation has a rule and a handler, and no other route can be added', async () => {
    for (const { access } of list) expect(['public', 'caller', 'session']).toContain(access);
    const routes = list.flatMap((one) => routesOf(one, 'mintage')).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    expect(Object.keys(handlers).toSorted()).toEqual(list.map(({ name }) => name).toSorted());
    const app = buildApp(api.context);
    expect(() => app.get('/backdoor', async () => 'hello')).toThrow('no access rule');
    await app.close();
  });

  it('A7 A5 without a credential, or with a bad one, only public operations answer', async () => {
    const guarded = list.filter(({ access }) => access !== 'public');
    for (const operation of guarded.flatMap((one) => routesOf(one, 'mintage').map((route) => ({ ...one, ...route })))) {
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Basic YTpi',
        'Bearer undefined',
        `Bearer ${'a'.repeat(9_000)}`,
      ]) {
        const answer = await api.inject({
          method: operation.method,
          url: basePath + operation.path,
          payload: {},
          headers: authorization === undefined ? {} : { authorization },
        });
        expect([operation.name, answer.statusCode, answer.json().code]).toEqual([
          operation.name,
          401,
          'AUTHENTICATION_FAILED',
        ]);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });

  it('behavior: a further route is the same operation: /token-price is /quote-token', async () => {
    const answers = await Promise.all(
      ['/quote-token', '/token-price'].map(async (path) => {
        const answer = await post(basePath + path, '{"chainSlug":"nowhere","amount":0}');
        const { requestId: _, ...body } = answer.json();
        return [answer.statusCode, body];
      }),
    );
    expect(answers[0]?.[0]).toBe(400);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('behavior: a bad bearer on a public operation counts as none', async () => {
    const answer = await api.inject({ method: 'GET', url: '/health', headers: { authorization: 'Bearer nonsense' } });
    expect(answer.statusCode).toBe(200);
  });

  it('R8 no cookie is read or set; any origin may call', async () => {
    const answer = await post(challenge, '{}', { cookie: 'session=1', origin: 'https://evil.example' });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('behavior: answers a preflight for every path', async () => {
    const answer = await api.inject({
      method: 'OPTIONS',
      url: `${basePath}/trade-token`,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    // The methods and headers of wire contract 1, and those that design 6 adds.
    const allowed =
      'authorization content-type apikey x-client-info x-info-signature x-info-nonce x-info-expires-after ' +
      'x-info-signature-chain-id idempotency-key last-event-id mcp-method mcp-name mcp-protocol-version mcp-session-id';
    const told = String(answer.headers['access-control-allow-headers']).split(', ');
    expect(told).toEqual(expect.arrayContaining(allowed.split(' ')));
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const exposed = ['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate', 'x-request-id'];
    const any = await api.inject({ method: 'GET', url: '/health' });
    const shown = String(any.headers['access-control-expose-headers']).split(', ');
    expect(shown).toEqual(expect.arrayContaining(exposed));
    expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS');
  });

  it('behavior: keeps a harmless request id, replaces another', async () => {
    const kept = await post(challenge, '{}', { 'x-request-id': 'my-id.1' });
    expect([kept.headers['x-request-id'], kept.json().requestId]).toEqual(['my-id.1', 'my-id.1']);
    const replaced = await post(challenge, '{}', { 'x-request-id': 'a\tb<script>' });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('behavior: logs every request with its id, operation and status, and no credential', async () => {
    await post(challenge, '{"address":7}', { 'x-request-id': 'logged-1', authorization: 'Bearer secret-token' });
    const line = api.logged.find(({ requestId }) => requestId === 'logged-1');
    expect(line).toMatchObject({ operation: 'authChallenge', method: 'POST', path: challenge, status: 400 });
    expect(JSON.stringify(api.logged)).not.toContain('secret-token');
  });

  it('error: unknown path, wrong method', async () => {
    expect((await post(`${basePath}/nothing`, '{}')).json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
    const wrong = await api.inject({ method: 'GET', url: challenge });
    expect([wrong.statusCode, wrong.json().code, wrong.headers.allow]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST, OPTIONS',
    ]);
    for (const url of ['/%ff', '/token/%ff', '/nosuch']) {
      const { statusCode, headers } = await api.inject({ method: 'GET', url });
      expect([url, statusCode, headers['x-content-type-options']]).toEqual([url, 404, 'nosniff']);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-request-id']).toBeTruthy();
    }
  });

  it('error: a body that is not JSON, in every POST, in the documented shape', async () => {
    const { accessToken } = await signInOperator(api);
    for (const { path, errorShape } of posts) {
      for (const payload of ['{', 'hello', '[]', '{"a":1,"a":2}']) {
        const answer = await post(basePath + path, payload, { authorization: `Bearer ${accessToken}` });
        expect([path, answer.statusCode, answer.json().code]).toEqual([path, 400, 'INVALID_JSON']);
        expect(answer.json().success).toBe(errorShape === 'B' ? undefined : false);
        expect(answer.json().error).toMatch(/^The .+\. Send one JSON object/);
      }
    }
  });

  it.each([
    ['content-type', 'text/plain'],
    ['content-type', 'application/x-www-form-urlencoded'],
    ['content-encoding', 'gzip'],
  ])('error: a body with %s %s', async (name, value) => {
    const answer = await post(challenge, '{"address":1}', { [name]: value });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'INVALID_JSON']);
  });

  it('behavior: a POST without a body is an empty one', async () => {
    const answer = await api.inject({ method: 'POST', url: challenge });
    expect(answer.json()).toMatchObject({
      code: 'INVALID_PARAMETERS',
      details: [{ path: 'address', message: 'is required' }],
    });
  });

  it('R3 error: a body above the limit of its operation', async () => {
    const { accessToken } = await signInOperator(api);
    const authorization = `Bearer ${accessToken}`;
    for (const { path, media, plainStatuses } of posts) {
      const bodyLimit = media ? mediaBodyLimit : usualBodyLimit;
      const answer = await post(basePath + path, `{"x":"${'a'.repeat(bodyLimit)}"}`, { authorization });
      expect([path, answer.statusCode, answer.json().code]).toEqual([
        path,
        plainStatuses ? 400 : 413,
        'PAYLOAD_TOO_LARGE',
      ]);
      const smaller = await post(basePath + path, `{"x":"data:${'a'.repeat(usualBodyLimit - 20)}"}`, { authorization });
      expect([path, smaller.statusCode]).not.toEqual([path, 413]);
    }
  });

  it('H1 without a credential, or with one that proves nobody, a body has at most 64 KiB', async () => {
    const larger = `{"x":"${'a'.repeat(anonymousBodyLimit)}"}`;
    const bearers = ['', 'Bearer nobody', `Bearer ${'a'.repeat(5_000)}`, 'Basic YTpi', 'Bearer 0x12', 'Bearer a.b.c'];
    for (const { path, access, plainStatuses } of posts) {
      for (const authorization of bearers) {
        const answer = await post(basePath + path, larger, authorization === '' ? {} : { authorization });
        const code = access !== 'public' ? 'AUTHENTICATION_FAILED' : 'PAYLOAD_TOO_LARGE';
        const status = access !== 'public' ? 401 : plainStatuses ? 400 : 413;
        expect([path, authorization, answer.statusCode, answer.json().code]).toEqual([
          path,
          authorization,
          status,
          code,
        ]);
      }
    }
  });

  it('R6 error: a fault of ours says only the request id', async () => {
    const broken = buildApp({
      ...api.context,
      auth: { ...api.context.auth, publicKeys: () => Promise.reject(new Error('secret detail')) },
    });
    const answer = await broken.inject({
      method: 'GET',
      url: '/.well-known/jwks.json',
      headers: { 'x-request-id': 'fault-1' },
    });
    await broken.close();
    expect(answer.json()).toEqual({
      success: false,
      error: 'Something went wrong on our side, in request fault-1. Try again; if it stays, report the request id.',
      code: 'INTERNAL_ERROR',
      details: null,
      requestId: 'fault-1',
    });
    expect(answer.statusCode).toBe(500);
    expect(JSON.stringify(api.logged.filter(({ requestId }) => requestId === 'fault-1'))).toContain('secret detail');
  });

  it('error: an answer that breaks its own schema is a fault of ours', async () => {
    const broken = buildApp({
      ...api.context,
      auth: { ...api.context.auth, publicKeys: async () => [{ d: 'private' } as never] },
    });
    const answer = await broken.inject({ method: 'GET', url: '/.well-known/jwks.json' });
    await broken.close();
    expect([answer.statusCode, answer.body.includes('private')]).toEqual([500, false]);
  });

  it('error: a database that is away is 503 and worth trying again', async () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const broken = buildApp({ ...api.context, auth: { ...api.context.auth, publicKeys: () => Promise.reject(away) } });
    const answer = await broken.inject({ method: 'GET', url: '/.well-known/jwks.json' });
    await broken.close();
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '2',
    ]);
  });

  it('error: an answer that takes too long is 503', async () => {
    const config = { ...api.context.config, handlerTimeoutMs: 20 };
    const slow = buildApp({
      ...api.context,
      config,
      auth: { ...api.context.auth, publicKeys: () => new Promise(() => undefined) },
    });
    const answer = await slow.inject({ method: 'GET', url: '/.well-known/jwks.json' });
    await slow.close();
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('behavior: the examples in the docs fit their operations', () => {
    const examples = list.filter(({ example }) => example !== undefined);
    for (const { name, input, example } of examples) {
      expect([name, input.safeParse(example).error?.issues]).toEqual([name, undefined]);
    }
  });

  it('behavior: documented codes exist in the catalogue, and none is listed twice', () => {
    for (const { name, errors } of list) {
      expect([name, new Set(errors).size]).toEqual([name, errors.length]);
      for (const code of [...errors, ...commonErrors]) expect(errorCatalogue).toHaveProperty(code);
    }
  });

  it('behavior: /metrics counts what was answered', async () => {
    const { body, headers } = await api.inject({ method: 'GET', url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toMatch(/mintage_request_seconds_count\{operation="authChallenge",status="400"\} \d+/);
  });
});
