import type { AddressInfo } from 'node:net';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { requireReadable } from '../../src/api/wire/readableText.ts';
import { filled, leavesOf } from './surfaces/samples.ts';
import { surfacesOf } from './surfaces/surfaces.ts';
import { signInOperator } from './testing/operator.ts';
import { StreamClient } from './testing/streamClient.ts';
import { type TestApi, testApi } from './testing/testApi.ts';

const unreadable = ['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', 'name \ud83d'];

describe('requireReadable', () => {
  let api: TestApi;
  let bearer: string;
  let key: string;
  beforeAll(async () => {
    api = await testApi({ env: { RATE_LIMITS: JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9 }) } });
    // What operators alone may do is refused to others before anything is read.
    bearer = (await signInOperator(api)).accessToken;
    key = (await api.call('createApiKey', { name: 'assistant' }, { bearer })).body.key;
  });
  afterAll(() => api.stop());

  /** Requests of the service's own words only, so that what is wrong with them is the text. */
  const ask = async (request: InjectOptions) => {
    const answer = await api.inject({ ...request, headers: { authorization: `Bearer ${bearer}`, ...request.headers } });
    return { status: answer.statusCode, body: answer.body };
  };

  it('default: what is readable passes, at any depth', () => {
    const readable = [
      '',
      'é \u{1f6f6} \u0001\u001f\n',
      { a: [{ b: '\ufffd' }, 1, true, null] },
      new URLSearchParams('a=b'),
    ];
    for (const value of readable) expect(() => requireReadable(value)).not.toThrow();
  });

  it.each([
    ['\ud800', ''],
    [{ a: ['b', { c: '\u0000' }] }, 'a.1.c'],
    [{ a: { 'b\u0000': 1 } }, 'a'],
    [{ '\udc00': 1 }, ''],
    [new URLSearchParams('a=b&a=%00'), 'a'],
    [{ a: { length: { toString: 'x', valueOf: null } } }, 'a'],
    [{ type: { toString: 'x' } }, 'type'],
    [{ a: [JSON.parse('{"then":1}')] }, 'a.0'],
  ])('error: %j', (value, path) => {
    expect(() => requireReadable(value)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS', details: [expect.objectContaining({ path })] }),
    );
  });

  it('H8 L7 R3 every text of every operation, on every route, is refused as 400 when it cannot be read', async () => {
    let asked = 0;
    for (const surface of surfacesOf('mintage', 'Testnet')) {
      for (const leaf of leavesOf(surface.input)) {
        for (const text of unreadable) {
          if (surface.request({}).method === 'GET' && !text.isWellFormed()) continue; // a URL cannot spell it
          if (surface.lasts && leaf.path[0] === 'topic') continue; // said by the surface itself
          const { status, body } = await ask(surface.request(filled(leaf, text)));
          expect([surface.name, leaf.path, text, status, body]).toEqual([
            surface.name,
            leaf.path,
            text,
            400,
            expect.stringContaining('U+0000'),
          ]);
          asked += 1;
        }
      }
    }
    expect(asked).toBeGreaterThan(1_000);
  });

  it('H8 fields that no schema knows are read as well, keys included', async () => {
    for (const body of [
      { input: 'fox', other: '\u0000' },
      { input: 'fox', 'a\u0000': 1 },
      { input: 'fox', a: [['\ud800']] },
    ]) {
      const { status } = await ask({ method: 'POST', url: `${basePath}/search-token`, payload: body });
      expect([body, status]).toEqual([body, 400]);
    }
  });

  it('H8 an object in the place of a text, a number or a list is refused as 400, whatever it pretends to be', async () => {
    const strange = { toString: 'x', valueOf: null };
    const objects = [
      strange,
      { length: strange },
      { length: 1 },
      JSON.parse('{"then":"x"}'),
      { constructor: strange },
      { toJSON: 1 },
      {},
    ];
    for (const surface of surfacesOf('mintage', 'Testnet').filter(({ request }) => request({}).method === 'POST')) {
      for (const leaf of leavesOf(surface.input)) {
        for (const object of objects) {
          const { status } = await ask(surface.request(filled(leaf, object)));
          const isRefused = status >= 400 && status < 500;
          expect([surface.name, leaf.path, object, status, isRefused]).toEqual([
            surface.name,
            leaf.path,
            object,
            status,
            true,
          ]);
        }
      }
    }
    for (const type of objects) {
      const { status } = await ask({ method: 'POST', url: `${basePath}/info`, payload: { type } });
      expect([type, status]).toEqual([type, 400]);
    }
  });

  it('H8 query parameters, and paths that lead nowhere', async () => {
    for (const url of [`${basePath}/health?a=%00`, `${basePath}/health?%00=a`, `${basePath}/ipfs/%00`]) {
      expect([url, (await ask({ method: 'GET', url })).status]).toEqual([url, 400]);
    }
  });

  it('H8 arguments of tools, and whatever else a message to the tool server holds', async () => {
    const call = (name: string, given: object) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    for (const payload of [
      call('search_token', { input: '\u0000' }),
      call('search_token\u0000', {}),
      { jsonrpc: '2.0', id: '\ud800', method: 'tools/list' },
    ]) {
      const headers = {
        authorization: `Bearer ${key}`,
        host: '127.0.0.1:8080',
        accept: 'application/json, text/event-stream',
      };
      const answer = await ask({ method: 'POST', url: `${basePath}/mcp`, headers, payload });
      expect([payload, answer.status]).toEqual([payload, 400]);
    }
  });

  it('H8 parameters and forms of OAuth', async () => {
    const redirect = 'http://127.0.0.1:7777/callback';
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const oauth = `${basePath}/oauth`;
    const registered = await ask({
      method: 'POST',
      url: `${oauth}/register`,
      headers: json,
      payload: JSON.stringify({ client_name: 'Client', redirect_uris: [redirect] }),
    });
    expect(registered.status).toBe(201);
    const { client_id } = JSON.parse(registered.body);
    const usual = {
      client_id,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    };
    const authorize = (extra: Record<string, string>) =>
      ask({ method: 'GET', url: `${oauth}/authorize?${new URLSearchParams({ ...usual, ...extra })}` });
    expect((await authorize({ state: 'its own' })).status).toBe(303);
    for (const name of ['state', 'scope', 'nonce', 'client_id', 'resource', 'login_hint', 'unknown']) {
      expect([name, (await authorize({ [name]: 'a\u0000' })).status]).toEqual([name, 400]);
    }
    // One reader of addresses leaves a value with a wrong escape as it is, the other decodes the rest of it.
    for (const text of ['%00%ZZ', '%ZZ%00', '%00%ff']) {
      const query = new URLSearchParams(usual);
      for (const name of ['state', 'nonce', 'login_hint']) {
        const { status } = await ask({ method: 'GET', url: `${oauth}/authorize?${query}&${name}=${text}` });
        expect([name, text, status]).toEqual([name, text, 400]);
      }
    }
    for (const path of [
      'token',
      'revoke',
      'interaction/abc/sign-in',
      'interaction/abc/passkey',
      'interaction/abc/consent',
    ]) {
      const { status, body } = await ask({
        method: 'POST',
        url: `${oauth}/${path}`,
        headers: form,
        payload: 'a=b&token=%00',
      });
      expect([path, status, body]).toEqual([path, 400, expect.stringContaining('U+0000')]);
    }
    const description = { client_name: 'Client', redirect_uris: [redirect], software_version: '\u0000' };
    const refused = await ask({
      method: 'POST',
      url: `${oauth}/register`,
      headers: json,
      payload: JSON.stringify(description),
    });
    expect(refused.status).toBe(400);
  });

  it('H29 a subscription with U+0000 is an invalid message, and the socket goes on', async () => {
    const app = buildApp(api.context);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const client = new StreamClient(`ws://127.0.0.1:${port}${basePath}/ws`);
    try {
      await client.connect();
      for (const text of unreadable) {
        const answer = await client.subscribe({ topic: 'tokenActivity', tokenIds: [text] }, 'one');
        expect(answer).toMatchObject({ type: 'error', id: 'one', code: 'INVALID_MESSAGE' });
      }
      expect(await client.subscribe({ topic: 'tokenActivity' }, 'two')).toMatchObject({ type: 'subscribed' });
    } finally {
      client.close();
      await app.close();
    }
  });
});
