import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Rpc, RpcError, ThrottledError } from './rpc.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (requests: { id: number; method: string }[]) => unknown;

/** A provider that counts how often it is asked. */
const provider = async (answer: Answer | 'silent') => {
  const asked = { times: 0 };
  const server = createServer((request, response) => {
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
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

const echo: Answer = (requests) => requests.map(({ id, method }) => ({ id, result: method })).toReversed();

describe('Rpc', () => {
  test('results come in the order of the calls, whatever the order of the answers', async () => {
    const { url } = await provider(echo);
    const calls = ['a', 'b', 'c'].map((method) => ({ method, params: [] }));
    expect(await new Rpc(url).batch(calls, 1000)).toEqual(['a', 'b', 'c']);
  });

  test('error: a provider that fails, and one that never answers', async () => {
    const [broken, silent] = [await provider(() => undefined), await provider('silent')];
    await expect(new Rpc(broken.url).call('x', [], 1000)).rejects.toThrow('status 502');
    await expect(new Rpc(silent.url).call('x', [], 50)).rejects.toThrow('timeout');
  });

  test('error: a refusal', async () => {
    const refusing = await provider(([request]) => ({ id: request?.id, error: { code: -32005, message: 'too many' } }));
    const failure = new Rpc(refusing.url).call('eth_getLogs', [], 1000);
    await expect(failure).rejects.toThrow(new RpcError('eth_getLogs', -32005, 'too many'));
  });

  test.each([
    { code: 429, message: 'slow down' },
    { code: -32005, message: 'daily request rate limit reached' },
    { code: -32005, message: 'Too Many Requests' },
  ])('error: asked too often, said as %j', async (error) => {
    const { url } = await provider(([request]) => ({ id: request?.id, error }));
    await expect(new Rpc(url).call('x', [], 1000)).rejects.toThrow(ThrottledError);
  });

  test('error: asked too often, said by status, with the time to wait', async () => {
    const server = createServer((_, response) => response.writeHead(429, { 'retry-after': '3' }).end());
    servers.push(server.listen(0, '127.0.0.1'));
    await new Promise((resolve) => server.once('listening', resolve));
    const failure = new Rpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).call('x', [], 1000);
    await expect(failure).rejects.toMatchObject({ name: 'ThrottledError', waitMs: 3000 });
  });

  test('error: an answer that is missing from a batch', async () => {
    const { url } = await provider(([first]) => [{ id: first?.id, result: 1 }]);
    const calls = [
      { method: 'a', params: [] },
      { method: 'b', params: [] },
    ];
    await expect(new Rpc(url).batch(calls, 1000)).rejects.toThrow('left b without an answer');
  });
});
