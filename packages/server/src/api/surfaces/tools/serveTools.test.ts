import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../../test/api/testing/testApi.ts';
import { connectEarlier, connectNew } from '../../../../test/api/tools/toolClients.ts';
import { buildApp } from '../rest/app.ts';
import { createFrames } from './frames.ts';
import { plainMessageOf } from './plainMessage.ts';
import { createToolSet } from './toolSet.ts';

const path = '/functions/v1/mcp';
const challenge =
  'Bearer resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/functions/v1/mcp"';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
};

/** A message of the newer era of the protocol; of the earlier one when `modern` is false. */
const message = (method: string, params: object = {}, modern = true) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: modern ? { ...params, _meta: envelope } : params,
});

const handshake = message(
  'initialize',
  {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
  false,
);

/** Headers that the newer era requires besides the body. */
const headersOf = (body: object | string): Record<string, string> => {
  const { method, params } = body as { method?: string; params?: { name?: string } };
  if (typeof body === 'string' || !JSON.stringify(body).includes('io.modelcontextprotocol/protocolVersion')) return {};
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method ?? '',
    ...(params?.name === undefined ? {} : { 'mcp-name': params.name }),
  };
};

const post = (api: TestApi, body: object | string, headers: Record<string, string> = {}) =>
  api.inject({
    method: 'POST',
    url: path,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      host: '127.0.0.1:8080',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf(body),
      ...headers,
    },
  });

/** For tests of other things. */
const unlimited = JSON.stringify({
  anonymous: 1e9,
  authenticated: 1e9,
  signIn: 1e9,
  toolAnonymous: 1e9,
  toolAuthenticated: 1e9,
});

describe('the tool server', () => {
  let api: TestApi;
  let user: SignedIn;
  let key: string;
  beforeAll(async () => {
    api = await testApi({ env: { RATE_LIMITS: unlimited } });
    user = await api.signIn();
    key = (await api.call('createApiKey', { name: 'bot' }, { bearer: user.accessToken })).body.key;
  });
  afterAll(() => api?.stop());
  const bearer = () => ({ authorization: `Bearer ${key}` });

  it('default: lists every tool with its schemas as they follow from the operations', async () => {
    const answer = await post(api, message('tools/list'), bearer());
    expect(answer.statusCode).toBe(200);
    const { tools } = answer.json().result;
    expect(tools).toEqual(JSON.parse(JSON.stringify(createToolSet(['base', 'base-sepolia']).list)));
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object']);
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('$ref');
    }
  });

  it('default: a call answers as text and structured, with what it may trust', async () => {
    const answer = await post(
      api,
      message('tools/call', { name: 'get_tokens', arguments: { filter: 'new' } }),
      bearer(),
    );
    const { structuredContent, content } = answer.json().result;
    expect(structuredContent).toEqual({
      tokens: [],
      total: 0,
      untrusted: ['tokens[].name', 'tokens[].symbol', 'tokens[].creator.username', 'tokens[].creator.profile_picture'],
    });
    expect(content).toEqual([{ type: 'text', text: '{"tokens":[],"total":0}' }]);
  });

  it.each([
    ['a list', message('tools/list'), { tools: createToolSet(['base', 'base-sepolia']).list }],
    ['a call', message('tools/call', { name: 'get_tokens', arguments: { filter: 'new' } }), null],
    ['a failed call', message('tools/call', { name: 'get_tokens', arguments: { filter: 'none such' } }), null],
  ])('default: %s is framed as the library frames it, whatever its id', async (_what, body, known) => {
    const headers = headersOf(body);
    const first = await post(api, body, bearer());
    const { resultType: _type, _meta, ttlMs: _ttl, cacheScope: _scope, ...result } = first.json().result;
    const plain = plainMessageOf({ 'content-type': 'application/json', ...headers }, body);
    if (plain === null) throw new Error('This message is plain.');
    const frames = createFrames();
    expect(frames.of(plain)).toBe(null);
    frames.learn(plain, JSON.stringify(known ?? result), first.body);
    expect(frames.of(plain)?.(JSON.stringify(known ?? result))).toBe(first.body);

    for (const id of ['a "name"', 7]) {
      const next = await post(api, { ...body, id }, bearer());
      const withoutRequestId = (text: string) => text.replace(/requestId[^,}]*/, '');
      const expected = `${first.body.slice(0, first.body.lastIndexOf(':'))}:${JSON.stringify(id)}}`;
      expect(withoutRequestId(next.body)).toBe(withoutRequestId(expected));
      const { 'x-request-id': _id, ratelimit: _left, date: _date, 'content-length': _length, ...rest } = next.headers;
      expect(first.headers).toMatchObject(rest);
    }
  });

  it('error: a message that the library refuses is refused after one of its form but for that was answered', async () => {
    const good = message('tools/call', { name: 'get_tokens', arguments: { filter: 'new' } });
    for (let time = 0; time < 2; time++) expect((await post(api, good, bearer())).json().result).toBeDefined();
    const { params } = good as { params: { name: string; arguments: object; _meta: typeof envelope } };
    const refused: [object, Record<string, string>?][] = [
      [good, { 'mcp-name': 'get_token' }],
      [good, { 'mcp-method': 'tools/list' }],
      [good, { 'mcp-protocol-version': '2025-11-25' }],
      [{ ...good, id: 1.5 }],
      [{ ...good, jsonrpc: '1.0' }],
      [{ ...good, params: { ...params, arguments: ['new'] } }],
      [{ ...good, params: { ...params, name: 'no_such_tool' } }],
      [{ ...good, params: { ...params, _meta: { ...envelope, 'io.modelcontextprotocol/clientInfo': 5 } } }],
      [{ ...good, params: { ...params, _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '1' } } }],
    ];
    for (const [body, headers] of refused) {
      const answer = await post(api, body, { ...bearer(), ...headers });
      expect(answer.json().error, JSON.stringify([body, headers])).toMatchObject({ code: expect.any(Number) });
    }
  });

  it.each([
    ['initialize', handshake],
    ['a list of the newer era', message('tools/list')],
    ['a list of the earlier era', message('tools/list', {}, false)],
    ['a call', message('tools/call', { name: 'get_tokens', arguments: { filter: 'new' } })],
    ['discovery', message('server/discover')],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['no message', {}],
  ])('T1 T4 error: %s without a credential is 401 and says where to get one', async (_what, body) => {
    const { oauth } = api.context;
    expect(challenge).toBe(`Bearer resource_metadata="${oauth.addresses.resourceMetadata}"`);
    const credentials: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: 'Bearer mintage_test_nonsense' },
      { authorization: `Bearer ${user.address}` },
      { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
      // An access token of the REST interface has another audience.
      { authorization: `Bearer ${user.accessToken}` },
      // A session id is no identity.
      { 'mcp-session-id': '7d6f2f1e-0000-4000-8000-000000000000' },
    ];
    for (const headers of credentials) {
      const answer = await post(api, body, headers);
      const said = [answer.statusCode, answer.headers['www-authenticate'], answer.json().code];
      expect(said, JSON.stringify(headers)).toEqual([401, challenge, 'AUTHENTICATION_FAILED']);
    }
  });

  it('T4 error: no session is opened, read or ended without a credential', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const { statusCode, headers } = await api.inject({ method, url: path, headers: { host: '127.0.0.1:8080' } });
      expect([statusCode, headers['www-authenticate']]).toEqual([401, challenge]);
    }
  });

  it('T4 a session id of somebody else changes nothing', async () => {
    const whoAmI = message('tools/call', { name: 'me', arguments: {} });
    const other = await api.signIn();
    const otherKey = (await api.call('createApiKey', { name: 'bot' }, { bearer: other.accessToken })).body.key;
    const session = { 'mcp-session-id': user.userId };
    const answer = await post(api, whoAmI, { authorization: `Bearer ${otherKey}`, ...session });
    expect(answer.json().result.structuredContent.data.userId).toBe(other.userId);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it.each([
    [{ host: 'evil.example' }],
    [{ host: '127.0.0.1.evil.example:8080' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://127.0.0.1.evil.example' }],
    [{ host: 'rebound.example:8080', origin: 'http://rebound.example:8080' }],
  ])('T3 error: a page that came by %j is refused before anything else', async (headers) => {
    const answer = await post(api, message('tools/list'), { ...bearer(), ...headers } as Record<string, string>);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'FORBIDDEN_ORIGIN']);
  });

  it('T3 the own host, and the pages that are named, may', async () => {
    const named = await testApi({
      env: { PUBLIC_URL: 'https://api.acme.example', APP_URL: 'https://acme.example', TOOL_ORIGINS: 'chat.example' },
    });
    const status = async (headers: Record<string, string>) =>
      (await post(named, message('tools/list'), headers)).statusCode;
    for (const origin of ['https://api.acme.example', 'https://acme.example', 'https://chat.example:8443'])
      expect(await status({ host: 'api.acme.example', origin }), origin).toBe(401);
    expect(await status({ host: 'api.acme.example' })).toBe(401);
    expect(await status({ host: '127.0.0.1' })).toBe(403);
    expect(await status({ host: 'api.acme.example', origin: 'https://other.example' })).toBe(403);
    await named.stop();
  });

  it('T8 10, 100 and 1000 a minute, however the calls are dressed', async () => {
    const limited = await testApi();
    const plain = await limited.signIn();
    const rich = await limited.signIn();
    await limited.context.db
      .updateTable('app_user')
      .set({ premium: true })
      .where('user_id', '=', rich.userId)
      .execute();
    const keyOf = async (who: SignedIn) =>
      (await limited.call('createApiKey', { name: 'bot' }, { bearer: who.accessToken })).body.key as string;
    const [plainKey, plainToo, richKey] = [await keyOf(plain), await keyOf(plain), await keyOf(rich)];
    let counter = 0;
    const one = async (headers: Record<string, string>): Promise<number> => {
      counter += 1;
      const answer = await post(limited, message(counter % 10 ? 'ping' : 'tools/list', {}, false), headers);
      if (answer.statusCode !== 429) return 1;
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      const details = { retryAfterSeconds: expect.any(Number) };
      expect(answer.json()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details });
      return 0;
    };
    const admitted = async (count: number, dress: () => Record<string, string>): Promise<number> => {
      const answers = await Promise.all(Array.from({ length: count }, () => one(dress())));
      return answers.reduce((sum, passed) => sum + passed, 0);
    };
    const dressed = (keys: string[]) => () => ({
      'mcp-session-id': `session-${counter}`,
      'x-forwarded-for': `10.0.0.${counter % 250}`,
      ...(keys.length === 0
        ? { authorization: `Bearer guess-${counter}` }
        : { authorization: `Bearer ${keys[counter % keys.length]}` }),
    });
    const policyOf = async (owner: string) =>
      (await post(limited, message('ping', {}, false), { authorization: `Bearer ${owner}` })).headers[
        'ratelimit-policy'
      ];
    expect([await policyOf('nobody'), await policyOf(plainKey), await policyOf(richKey)]).toEqual([
      '"tool";q=10;w=60',
      '"tool";q=100;w=60',
      '"tool";q=1000;w=60',
    ]);
    const started = performance.now();
    const passed = [await admitted(200, dressed([])), await admitted(600, dressed([plainKey, plainToo]))];
    // One request was counted above; on a slow machine some of the allowance has refilled meanwhile.
    const minutes = (performance.now() - started) / 60_000;
    for (const [at, limit] of [10, 100].entries()) {
      expect(passed[at]).toBeGreaterThanOrEqual(limit - 1);
      expect(passed[at]).toBeLessThanOrEqual(Math.ceil(limit * (1 + minutes)) + 1);
    }
    expect(await admitted(150, dressed([richKey]))).toBe(150);
    await limited.stop();
  });

  it.each([
    ['a batch of an older version', JSON.stringify([message('tools/list'), message('tools/list')]), -32600],
    ['an empty batch', '[]', -32600],
    ['a text', '"tools/list"', -32600],
    ['a key twice', '{"jsonrpc":"2.0","jsonrpc":"2.0"}', -32700],
    ['half of a message', '{"jsonrpc":"2.0","id":', -32700],
  ])('R2 error: %s in a body is refused in the form of the protocol', async (_what, body, code) => {
    const answer = await post(api, body, { ...bearer(), 'mcp-protocol-version': '2025-03-26' });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    ]);
  });

  it('error: a tool that is not there is the protocol’s own error', async () => {
    const answer = await post(api, message('tools/call', { name: 'drain_wallet', arguments: {} }), bearer());
    expect(answer.json().error).toMatchObject({ code: -32602 });
  });

  it('H8 error: an initialize that is none is the caller’s fault, not ours', async () => {
    const answer = await post(api, message('initialize', { name: 'get_tokens', arguments: {} }), bearer());
    expect([answer.statusCode, answer.json().error.code]).toEqual([200, -32602]);
  });

  const refused = async (name: string, parameters: object) => {
    const answer = await post(api, message('tools/call', { name, arguments: parameters }), bearer());
    const { isError, content, structuredContent } = answer.json().result;
    expect([answer.statusCode, isError, structuredContent]).toEqual([200, true, undefined]);
    return JSON.parse(content[0].text);
  };

  const f = (text: string) => `<untrusted>${text}</untrusted>`;
  it('error: parameters, each with its path; nothing is guessed of a number', async () => {
    const answer = await refused('get_tokens', { filter: 'old', limit: 101, offset: -1 });
    expect(answer).toEqual({
      error: f('filter: must be trending, new, popular or top_posts.'),
      code: 'INVALID_PARAMETERS',
      details: {
        issues: [
          { path: f('filter'), message: f('must be trending, new, popular or top_posts') },
          { path: f('limit'), message: f('must be at most 100') },
          { path: f('offset'), message: f('must be at least 0') },
        ],
        code: 'INVALID_PARAMETERS',
        next: expect.any(String),
        retryable: false,
        requestId: expect.any(String),
      },
    });
    const exponent = JSON.stringify(
      message('tools/call', { name: 'get_tokens', arguments: { filter: 'new', limit: 7 } }),
    );
    const inexact = await post(api, exponent.replace(':7', ':1e1'), {
      ...bearer(),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_tokens',
    });
    // Parsing stops at the error, so there is no message id to answer with.
    expect([inexact.statusCode, inexact.json().details]).toEqual([
      400,
      [{ path: 'params.arguments.limit', message: expect.stringContaining('must be a number without an exponent') }],
    ]);
  });

  it('behavior: null is an absent parameter, and unknown ones are ignored', async () => {
    const parameters = { filter: 'new', limit: null, hashtag_name: null, colour: 'red' };
    const answer = await post(api, message('tools/call', { name: 'get_tokens', arguments: parameters }), bearer());
    expect(answer.json().result.isError).toBeUndefined();
  });

  it('error: the scope of a tool is needed also where REST is public', async () => {
    const { body } = await api.call('createApiKey', { name: 'x', scopes: ['prepare'] }, { bearer: user.accessToken });
    const call = message('tools/call', { name: 'get_tokens', arguments: { filter: 'new' } });
    const answer = await post(api, call, { authorization: `Bearer ${body.key}` });
    expect(JSON.parse(answer.json().result.content[0].text)).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      details: { code: 'SCOPE_MISSING' },
    });
  });

  it('error: a revoked key', async () => {
    const { body } = await api.call('createApiKey', { name: 'x' }, { bearer: user.accessToken });
    await api.call('revokeApiKey', { id: body.id }, { bearer: user.accessToken });
    const answer = await post(api, message('tools/list'), { authorization: `Bearer ${body.key}` });
    expect(answer.statusCode).toBe(401);
  });

  it('behavior: without sessions there is none to open or end', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await api.inject({ method, url: path, headers: { host: '127.0.0.1', ...bearer() } });
      expect(answer.statusCode).toBe(405);
    }
  });

  it('behavior: the official clients of both eras understand it', async () => {
    const app: FastifyInstance = buildApp(api.context);
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}${path}`;
    for (const connect of [connectNew, connectEarlier]) {
      const client = await connect(url, key);
      expect(await client.names()).toContain('quote_trade_token');
      expect((await client.call('get_tokens', { filter: 'popular' })).body.total).toBe(0);
      await client.close();
      await expect(connect(url, 'mintage_test_wrong')).rejects.toThrow();
    }
    await app.close();
  });
});
