import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ProvidersDownError, Rpc, RpcError } from './rpc.ts';

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
    expect(await new Rpc([url]).batch(calls, 1000)).toEqual(['a', 'b', 'c']);
  });

  test('behavior: a provider that fails is left alone while another answers', async () => {
    const broken = await provider(() => undefined);
    const good = await provider(echo);
    const rpc = new Rpc([broken.url, good.url]);
    for (let i = 0; i < 5; i += 1) expect(await rpc.call('x', [], 1000)).toBe('x');
    expect([broken.asked.times, good.asked.times]).toEqual([1, 5]);
  });

  test('behavior: a provider that never answers is given up', async () => {
    const [silent, good] = [await provider('silent'), await provider(echo)];
    expect(await new Rpc([silent.url, good.url]).call('x', [], 1000)).toBe('x');
  });

  test('behavior: the only provider is asked again and again', async () => {
    const broken = await provider(() => undefined);
    const rpc = new Rpc([broken.url]);
    for (let i = 0; i < 3; i += 1) await expect(rpc.call('x', [], 1000)).rejects.toThrow(ProvidersDownError);
    expect(broken.asked.times).toBe(3);
  });

  test('error: a refusal is the answer, not a reason to ask another provider', async () => {
    const refusing = await provider(([request]) => ({ id: request?.id, error: { code: -32005, message: 'too many' } }));
    const other = await provider(echo);
    const failure = new Rpc([refusing.url, other.url]).call('eth_getLogs', [], 1000);
    await expect(failure).rejects.toThrow(new RpcError('eth_getLogs', -32005, 'too many'));
    expect(other.asked.times).toBe(0);
  });

  test('error: an answer that is missing from a batch', async () => {
    const { url } = await provider(([first]) => [{ id: first?.id, result: 1 }]);
    const calls = [
      { method: 'a', params: [] },
      { method: 'b', params: [] },
    ];
    await expect(new Rpc([url]).batch(calls, 1000)).rejects.toThrow('left b without an answer');
  });

  test('error: no URL at all', () => {
    expect(() => new Rpc([])).toThrow('at least one RPC URL');
  });
});
