import { once } from 'node:events';
import { type ClientRequestArgs, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../src/api/main.ts';
import type { ServiceContext } from '../../src/api/surfaces/serviceContext.ts';
import { anonymousBodyLimit, basePath, mediaBodyLimit, usualBodyLimit } from '../../src/api/wire/limits.ts';
import { usualPace } from '../../src/clientPace.ts';
import { hostileBodies } from './hostileBodies.ts';
import { type SignedIn, type TestApi, testApi } from './testing/testApi.ts';

const wallet = `0x${'12'.repeat(20)}`;
const operation = (path: string) => basePath + path;

/** Bodies come in over real sockets: by how much, of whom, where they are parsed, and what is not read at all. */
describe('bodies over sockets', () => {
  let api: TestApi;
  let app: FastifyInstance;
  let user: SignedIn;
  let port: number;
  /** What was handed to the other thread. */
  const [parsedThere, hashedThere] = [vi.fn(), vi.fn()];

  beforeAll(async () => {
    api = await testApi();
    const { offLoop } = api.context;
    const context: ServiceContext = {
      ...api.context,
      offLoop: {
        ...offLoop,
        parseBody: (sender, bytes) => {
          parsedThere(bytes.byteLength);
          return offLoop.parseBody(sender, bytes);
        },
        digestsOfCreation: (signer, ...creation) => {
          hashedThere();
          return offLoop.digestsOfCreation(signer, ...creation);
        },
      },
    };
    // So that it does not take long to see that it hangs up on who is refused.
    const clientPace = { ...usualPace, lingerMs: 50, checkEveryMs: 20 };
    const config = { ...context.config, clientPace, trustedProxies: ['127.0.0.1'] };
    app = buildApp({ ...context, config });
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
    user = await api.signIn();
  });
  afterAll(async () => {
    await app.close();
    await api.stop();
  });

  interface Answer {
    status: number;
    code: string;
    headers: IncomingMessage['headers'];
  }
  const answerOf = async (answer: IncomingMessage): Promise<Answer> => {
    const text = Buffer.concat(await answer.toArray()).toString();
    const { code, error } = text.startsWith('{') ? JSON.parse(text) : { code: undefined, error: text };
    return { status: answer.statusCode as number, code: code ?? error, headers: answer.headers };
  };
  const requestTo = (path: string, headers: Record<string, string>, more: ClientRequestArgs = {}) =>
    httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
      ...more,
    });
  /** Sends a whole body; the server may answer, and hang up, before it has all of it. */
  const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const sent = requestTo(path, { 'content-length': String(Buffer.byteLength(body)), ...headers });
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    sent.end(body);
    return answerOf((await answered)[0] as IncomingMessage);
  };
  /** Says how much will come, and sends nothing of it. */
  const announce = async (path: string, length: number, headers: Record<string, string> = {}): Promise<Answer> => {
    const sent = requestTo(path, { 'content-length': String(length), ...headers });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const result = await answerOf(answer);
    if (!answer.socket.closed) await once(answer.socket, 'close'); // by the server
    return result;
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('H1 who is refused by credential, size or allowance is refused before a byte of the body', async () => {
    const refused = async (path: string, length: number, headers: Record<string, string> = {}) => {
      const { status, code } = await announce(path, length, headers);
      return [status, code];
    };
    const [small, large, huge] = [anonymousBodyLimit + 1, usualBodyLimit + 1, mediaBodyLimit + 1];
    const create = operation('/create-token-transaction');
    expect(await refused(operation('/search-token'), small)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(operation('/search-token'), small, bearer(wallet))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(operation('/info'), small, bearer('nobody'))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(operation('/platform-action'), small, bearer('nobody'))).toEqual([400, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(operation('/platform-action'), huge, bearer(wallet))).toEqual([400, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(create, large)).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refused(create, large, bearer(wallet))).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refused(create, huge, bearer(user.accessToken))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await refused(operation('/trade-token'), large, bearer(user.accessToken))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
    expect(await refused(operation('/mcp'), large)).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refused(operation('/mcp'), large, bearer(user.accessToken))).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await refused('/nowhere', large)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await refused(operation('/oauth/token'), large, form))[0]).toBe(413);
    expect((await refused(operation('/oauth/interaction/x/consent'), large, form))[0]).toBe(413);
    expect(await refused(operation('/me'), small, { 'content-type': 'multipart/form-data; boundary=x' })).toEqual([
      401,
      'AUTHENTICATION_FAILED',
    ]);
  });

  it('H1 a body that does not say its length is read up to the limit of who sends it', async () => {
    const chunked = async (path: string, headers: Record<string, string> = {}) => {
      const sent = requestTo(path, { 'transfer-encoding': 'chunked', ...headers });
      sent.on('error', () => undefined);
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      const isAnswered = answered.then(() => true);
      sent.write('{"a":"');
      let written = 0;
      while (!(await Promise.race([isAnswered, sleep(1, false)])) && !sent.destroyed) {
        sent.write('a'.repeat(16 * 1024));
        written += 16 * 1024;
      }
      const { status, code } = await answerOf((await answered)[0]);
      sent.destroy();
      return { status, code, written };
    };
    const anonymous = await chunked(operation('/search-token'));
    expect(anonymous).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(anonymous.written).toBeGreaterThanOrEqual(anonymousBodyLimit - 16 * 1024);
    const known = await chunked(operation('/trade-token'), bearer(user.accessToken));
    expect(known).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(known.written).toBeGreaterThanOrEqual(usualBodyLimit - 16 * 1024);
  });

  it('H1 a client that asks before it sends is told to go on only when its body is wanted', async () => {
    const ask = async (length: number) => {
      const sent = requestTo(operation('/search-token'), { 'content-length': String(length), expect: '100-continue' });
      sent.on('error', () => undefined);
      const goOn = vi.fn(() => sent.end(' '.repeat(length)));
      sent.on('continue', goOn);
      sent.flushHeaders();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const { status, code } = await answerOf(answer);
      sent.destroy();
      return [status, code, goOn.mock.calls.length];
    };
    expect(await ask(100)).toEqual([400, 'INVALID_JSON', 1]);
    expect(await ask(anonymousBodyLimit + 1)).toEqual([413, 'PAYLOAD_TOO_LARGE', 0]);
  });

  it('H1 who goes on sending what is refused hears why, and little of it is taken', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const head = `POST ${operation('/search-token')} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 100000000\r\n\r\n`);
    const [connection] = (await once(app.server, 'connection')) as [Socket];
    socket.write(Buffer.alloc(99_000_000, ' '));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
    await new Promise((resolve) => socket.once('close', resolve)); // with an error: it could not send all
    expect(connection.bytesRead).toBeLessThan(1_000_000);
  });

  it('H1 a body above 256 KiB is parsed, and its pictures hashed, off the event loop', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      for (const [what, body] of Object.entries(hostileBodies(1_000_000, api.clock.ms))) {
        parsedThere.mockClear();
        const { status, code } = await post(operation('/platform-action'), body, bearer(wallet));
        const expected = what.includes('signature') ? [401, 'INVALID_ACTION_SIGNATURE'] : [400, expect.any(String)];
        expect([what, status, code, parsedThere.mock.calls.length]).toEqual([what, ...expected, 1]);
      }
      const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
      expect(longest).toBeLessThanOrEqual(usualBodyLimit);
      expect(hashedThere).toHaveBeenCalledOnce();
    } finally {
      parse.mockRestore();
    }
  });

  it('H1 of actions only a creation may be that large, and of tools only the one that creates', async () => {
    const picture = `data:image/png;base64,${'A'.repeat(usualBodyLimit)}`;
    const act = (action: object) =>
      post(
        operation('/platform-action'),
        JSON.stringify({ source: 'Testnet', expiresAfter: 1, action }),
        bearer(user.accessToken),
      );
    expect(await act({ type: 'tradeToken', image: picture })).toMatchObject({ status: 400, code: 'PAYLOAD_TOO_LARGE' });
    expect(await act({ type: 'register', image: picture })).toMatchObject({ status: 400, code: 'PAYLOAD_TOO_LARGE' });
    expect(await act({ type: 'createToken', image: picture })).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETERS',
    });
    const { body: key } = await api.call('createApiKey', { name: 'tools' }, { bearer: user.accessToken });
    const call = (name: string) =>
      post(
        operation('/mcp'),
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { image: picture } },
        }),
        { ...bearer(key.key), accept: 'application/json, text/event-stream' },
      );
    expect(await call('get_tokens')).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(await call('create_token')).toMatchObject({ status: 200 });
  });

  it('H1 an address has two large bodies at once, all together eight; a credential has its own two', async () => {
    const action = operation('/platform-action');
    const begin = (headers: Record<string, string>) => {
      const sent = requestTo(action, { 'content-length': '1000000', ...headers });
      sent.on('error', () => undefined);
      sent.write('{');
      return sent;
    };
    const held = [begin(bearer(wallet)), begin(bearer(wallet))];
    const third = async () => {
      const { status, code, headers } = await announce(action, 1_000_000, bearer(wallet));
      return [status, code, headers['retry-after']];
    };
    await expect.poll(third).toEqual([429, 'RATE_LIMIT_EXCEEDED', '2']);
    const own = [begin(bearer(user.accessToken)), begin(bearer(user.accessToken))];
    const thirdOfUser = async () => (await announce(action, 1_000_000, bearer(user.accessToken))).status;
    await expect.poll(thirdOfUser).toBe(429);
    for (const one of [...held, ...own]) one.destroy();
    // Whoever hangs up gives the place back.
    const body = hostileBodies(1_000_000)['numbers with exponents'] as string;
    for (const who of [wallet, user.accessToken])
      await expect
        .poll(() => post(action, body, bearer(who)))
        .toMatchObject({ status: 400, code: 'INVALID_PARAMETERS' });
  });

  it('H1 users of one address have four places together: many accounts take none from another address', async () => {
    const action = operation('/platform-action');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const accounts = await Promise.all(Array.from({ length: 8 }, () => api.signIn()));
    const refused: (number | undefined)[] = [];
    const held = [...accounts, ...accounts].map(({ accessToken }) => {
      const headers = { 'content-length': '12000000', ...from('198.51.100.1'), ...bearer(accessToken) };
      const sent = requestTo(action, headers);
      sent.on('error', () => undefined).on('response', ({ statusCode }) => refused.push(statusCode));
      sent.write('{');
      return sent;
    });
    const body = hostileBodies(1_000_000)['numbers with exponents'] as string;
    try {
      await expect.poll(() => refused).toEqual(Array(12).fill(429));
      expect(await post(action, body, { ...from('198.51.100.2'), ...bearer(user.accessToken) })).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETERS',
      });
    } finally {
      for (const one of held) one.destroy();
    }
  });

  it('H1 a query and headers have together at most 16 KiB', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${operation('/stream')}?${'topic=x&'.repeat(4_000)} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 4/);
    socket.destroy();
  });
});
