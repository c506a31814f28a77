import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { patientServer } from '@mintage/devnet/patientServer';
import { afterEach, describe, expect, test } from 'vitest';
import { RpcError, ThrottledError, Wire } from './wire.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const serving = async (listener: RequestListener): Promise<string> => {
  const server = createServer(patientServer, listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Until nobody listens any more. */
const endless = async (response: ServerResponse): Promise<void> => {
  response.write('["');
  while (!response.destroyed) if (!response.write('a'.repeat(10_000))) await once(response, 'drain').catch(() => 0);
};

type Answer = (requests: { id: number; method: string }[]) => unknown;

/** A provider that counts how often it is asked. */
const provider = async (answer: Answer | 'silent') => {
  const asked = { times: 0 };
  const url = await serving((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.times += 1;
      if (answer === 'silent') return;
      const parsed = JSON.parse(body);
      const result = answer(Array.isArray(parsed) ? parsed : [parsed]);
      if (result === undefined) response.writeHead(502).end();
      else response.end(JSON.stringify(result));
    });
  });
  return { url, asked };
};

const echo: Answer = (requests) => requests.map(({ id, method }) => ({ id, result: method })).toReversed();

describe('Wire', () => {
  test('results come in the order of the calls, whatever the order of the answers', async () => {
    const { url } = await provider(echo);
    const calls = ['a', 'b', 'c'].map((method) => ({ method, params: [] }));
    expect(await new Wire(url).batch(calls, 1000)).toEqual(['a', 'b', 'c']);
  });

  test('error: a provider that fails, and one that never answers', async () => {
    const [broken, silent] = [await provider(() => undefined), await provider('silent')];
    await expect(new Wire(broken.url).request({ method: 'x', params: [] }, 1000)).rejects.toThrow('status 502');
    await expect(new Wire(silent.url).request({ method: 'x', params: [] }, 50)).rejects.toThrow('timeout');
  });

  test('error: a refusal', async () => {
    const refusing = await provider(([request]) => ({ id: request?.id, error: { code: -32005, message: 'too many' } }));
    const failure = new Wire(refusing.url).request({ method: 'eth_getLogs', params: [] }, 1000);
    await expect(failure).rejects.toThrow(new RpcError('eth_getLogs', -32005, 'too many'));
  });

  test.each([
    { code: 429, message: 'slow down' },
    { code: -32005, message: 'daily request rate limit reached' },
    { code: -32005, message: 'Too Many Requests' },
  ])('error: asked too often, said as %j', async (error) => {
    const { url } = await provider(([request]) => ({ id: request?.id, error }));
    await expect(new Wire(url).request({ method: 'x', params: [] }, 1000)).rejects.toThrow(ThrottledError);
  });

  test('error: asked too often, said by status, with the time to wait', async () => {
    const url = await serving((_, response) => response.writeHead(429, { 'retry-after': '3' }).end());
    const failure = new Wire(url).request({ method: 'x', params: [] }, 1000);
    await expect(failure).rejects.toMatchObject({ name: 'ThrottledError', waitMs: 3000 });
  });

  test('error: an answer that is missing from a batch', async () => {
    const { url } = await provider(([first]) => [{ id: first?.id, result: 1 }]);
    const calls = [
      { method: 'a', params: [] },
      { method: 'b', params: [] },
    ];
    await expect(new Wire(url).batch(calls, 1000)).rejects.toThrow('left b without an answer');
  });

  test('behavior: what a contract says when it reverts is not the provider’s word', async () => {
    const error = { code: -32000, message: 'execution reverted: too many requests', data: '0x08c379a0' };
    for (const said of [error, { ...error, data: undefined }]) {
      const { url } = await provider(([request]) => ({ id: request?.id, error: said }));
      const failure = new Wire(url).request({ method: 'x', params: [] }, 1000);
      await expect(failure).rejects.toMatchObject({ name: 'RpcError', data: said.data });
    }
  });

  test('behavior: a refusal with a status of its own', async () => {
    const url = await serving((_, response) =>
      response.writeHead(400).end('{"id":0,"error":{"code":3,"message":"execution reverted"}}'),
    );
    await expect(new Wire(url).request({ method: 'x', params: [] }, 1000)).rejects.toMatchObject({ code: 3 });
  });

  test.each([
    [401, '{"error":"invalid api key"}'],
    [200, '{"id":0,"error":"invalid api key"}'],
    [403, '{"id":0,"error":{"code":-32001,"message":"forbidden"}}'],
    [503, '{"id":0,"error":{"code":-32000,"message":"upstream unavailable"}}'],
    [503, '{"id":0,"result":null,"error":null}'],
  ])('error: what a gateway says of itself, status %i %s, is no answer of the chain', async (status, body) => {
    const url = await serving((_, response) => response.writeHead(status).end(body));
    const failure = new Wire(url).request({ method: 'x', params: [] }, 1000);
    await expect(failure).rejects.toMatchObject({ name: 'Error' });
  });

  test.each([[null], [{ see: 'https://provider.example' }]])(
    'error: asked too often, said beside data %o',
    async (data) => {
      const error = { code: -32029, message: 'Too Many Requests', data };
      const { url } = await provider(([request]) => ({ id: request?.id, error }));
      const failure = new Wire(url).request({ method: 'x', params: [] }, 1000);
      await expect(failure).rejects.toMatchObject({ name: 'ThrottledError' });
    },
  );

  const answered = async (answer: (response: ServerResponse) => void, mostBytes: number): Promise<unknown> =>
    new Wire(await serving((_, response) => answer(response)), mostBytes).request({ method: 'x', params: [] }, 5000);
  const long = JSON.stringify({ id: 0, result: 'é'.repeat(400) });
  const bytes = Buffer.byteLength(long);

  test.each<[string, (response: ServerResponse) => void]>([
    ['with its length', (response) => response.setHeader('content-length', bytes).end(long)],
    [
      'in parts that cut a letter',
      (response) => response.write(Buffer.from(long).subarray(0, 25)) && response.end(Buffer.from(long).subarray(25)),
    ],
    ['packed', (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(long))],
  ])('behavior: as long as allowed, %s', async (_, answer) =>
    expect(await answered(answer, bytes)).toBe('é'.repeat(400)),
  );

  test.each<[string, (response: ServerResponse) => void]>([
    ['with its length', (response) => response.setHeader('content-length', bytes).end(long)],
    ['without an end', (response) => void endless(response)],
    [
      'packed small',
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(`"${'a'.repeat(100_000)}"`)),
    ],
  ])('H22 attack: larger than allowed %s', async (_, answer) => {
    await expect(answered(answer, bytes - 1)).rejects.toThrow(/exceeded|larger than/);
  });

  test('error: no JSON', async () => {
    await expect(answered((response) => response.end('<html>'), 100)).rejects.toThrow(SyntaxError);
  });
});
