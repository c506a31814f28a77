import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { MintageError } from '@mintage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { getTransactionReceipt } from './evm/calls.ts';
import { createEvmRpc } from './evm/evmRpc.ts';
import type { Rpc } from './rpc.ts';
import { RpcError } from './wire.ts';

/** A provider's answer to a method; undefined: it never answers. */
type Provider = (method: string) => object | undefined;

const servers: Server[] = [];
const clients: Rpc[] = [];

/** @param lateMs - How long it takes to answer. */
const provider = async (answer: Provider, lateMs = 0): Promise<{ url: string; asked: string[]; stop: () => void }> => {
  const asked: string[] = [];
  const server = createServer(patientServer, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method } = JSON.parse(Buffer.concat(parts).toString()) as { method: string };
      asked.push(method);
      const body = answer(method);
      if (body) setTimeout(() => response.end(JSON.stringify(body)), lateMs);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, stop };
};

const client = (urls: string[], timeoutMs = 60_000): Rpc => {
  const rpc = createEvmRpc({ slug: 'base', chainId: 8453, urls, timeoutMs });
  clients.push(rpc);
  return rpc;
};

const head = { method: 'eth_blockNumber', params: [], parse: Number };

/** A provider of chain 8453 at this block. */
const healthy =
  (block: string): Provider =>
  (method) => ({ result: method === 'eth_chainId' ? '0x2105' : block });

const codeOf = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
  return 'answered';
};

afterEach(async () => {
  await Promise.all(clients.splice(0).map((rpc) => rpc.stop()));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('createRpc', () => {
  it('default: checks the chain once, then asks', async () => {
    const one = await provider(healthy('0x10'));
    const rpc = client([one.url]);
    expect(await rpc.request(head)).toBe(0x10);
    expect(await rpc.request(head)).toBe(0x10);
    expect(one.asked).toEqual(['eth_chainId', 'eth_blockNumber', 'eth_blockNumber']);
    expect(rpc.up).toBe(true);
  });

  it('behavior: null is a result', async () => {
    const one = await provider((method) => ({ result: method === 'eth_chainId' ? '0x2105' : null }));
    expect(await client([one.url]).request(getTransactionReceipt('0x'))).toBeNull();
  });

  it('behavior: goes on to the next provider and stays there', async () => {
    const first = await provider(() => ({ error: { code: -32005, message: 'limit exceeded' } }));
    const second = await provider(healthy('0x20'));
    const rpc = client([first.url, second.url]);
    expect(await rpc.request(head)).toBe(0x20);
    expect(await rpc.request(head)).toBe(0x20);
    expect(first.asked.length).toBe(1);
  });

  it('H22 attack: an answer of nine megabytes counts as none, and the next provider is asked', async () => {
    const liar = await provider((method) => ({ result: method === 'eth_chainId' ? '0x2105' : 'f'.repeat(9_000_000) }));
    const honest = await provider(healthy('0x20'));
    expect(await client([liar.url, honest.url]).request(head)).toBe(0x20);
    expect(await codeOf(client([liar.url]).request(head))).toBe('NETWORK_ERROR');
  });

  it('error: a silent provider, and one that is gone', async () => {
    const silent = await provider(() => undefined);
    const rpc = client([silent.url, 'http://127.0.0.1:1'], 50);
    expect(await codeOf(rpc.request(head))).toBe('NETWORK_ERROR');
    expect(rpc.up).toBe(false);
  });

  it('behavior: is up again once a provider answers', async () => {
    let broken = true;
    const one = await provider((method) =>
      broken ? { error: { code: -32603, message: 'down' } } : healthy('0x1')(method),
    );
    const rpc = client([one.url]);
    expect(await codeOf(rpc.check())).toBe('NETWORK_ERROR');
    broken = false;
    await rpc.check();
    expect(rpc.up).toBe(true);
  });

  it('behavior: an error of the request is thrown as it is, and asked of one provider only', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    const answer: Provider = (method) => (method === 'eth_chainId' ? { result: '0x2105' } : { error });
    const [one, two] = [await provider(answer), await provider(answer)];
    const rpc = client([one.url, two.url]);
    const thrown = await rpc.request({ method: 'eth_call', params: [] }).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(RpcError);
    expect(thrown).toMatchObject({ code: 3, message: 'eth_call: execution reverted (3)', data: '0x08c379a0' });
    expect([two.asked, rpc.up]).toEqual([[], true]);
  });

  it('W7 error: a provider of another chain is never asked anything else', async () => {
    const wrong = await provider(() => ({ result: '0x1' }));
    const right = await provider(healthy('0x30'));
    const rpc = client([wrong.url, right.url]);
    expect(await rpc.request(head)).toBe(0x30);
    expect(await codeOf(client([wrong.url]).request(head))).toBe('NETWORK_ERROR');
    expect(wrong.asked.every((method) => method === 'eth_chainId')).toBe(true);
  });

  it('W7 behavior: a check finds a provider that changed its chain', async () => {
    let chainId = '0x2105';
    const one = await provider((method) => ({ result: method === 'eth_chainId' ? chainId : '0x1' }));
    const rpc = client([one.url]);
    await rpc.check();
    chainId = '0x1';
    expect(await codeOf(rpc.check())).toBe('NETWORK_ERROR');
    expect(await codeOf(rpc.request(head))).toBe('NETWORK_ERROR');
  });

  it('behavior: a refusal that is no revert may be one provider’s own trouble: the next is asked, and it stands when all refuse', async () => {
    const refusing: Provider = (method) =>
      method === 'eth_chainId' ? { result: '0x2105' } : { error: { code: -32601, message: 'no such method' } };
    const [one, two] = [await provider(refusing), await provider(healthy('0x20'))];
    expect(await client([one.url, two.url]).request(head)).toBe(0x20);
    const rpc = client([one.url, one.url]);
    await expect(rpc.request(head)).rejects.toMatchObject({ name: 'RpcError', code: -32601 });
    expect(rpc.up).toBe(true);
  });

  it('behavior: the next is asked when the first takes longer than 400 ms', async () => {
    const slow = await provider((method) => (method === 'eth_chainId' ? { result: '0x2105' } : undefined));
    const other = await provider(healthy('0x10'));
    // Without end, if it were waited for.
    expect(await client([slow.url, other.url], 600_000).request(head)).toBe(0x10);
  });

  it('behavior: in turn, each provider is begun with', async () => {
    const all = await Promise.all([1, 2, 3].map((block) => provider(healthy(`0x${block}`))));
    const rpc = client(all.map(({ url }) => url));
    const blocks: number[] = [];
    for (let i = 0; i < 6; i += 1) blocks.push(await rpc.first((node) => node.request(head), { inTurn: true }));
    expect(blocks).toEqual([2, 3, 1, 2, 3, 1]);
  });

  it('behavior: one whose turn it is is waited for, however fast the others are', async () => {
    const [slow, fast] = [await provider(healthy('0x1'), 600), await provider(healthy('0x2'))];
    const rpc = client([slow, fast].map(({ url }) => url));
    const blocks: number[] = [];
    for (let i = 0; i < 3; i += 1) blocks.push(await rpc.first((node) => node.request(head), { inTurn: true }));
    expect(blocks).toEqual([2, 1, 2]);
  });

  describe('agreed', () => {
    const ask = (rpc: Rpc, aloneWillDo = false) => rpc.agreed((node) => node.request(head), { aloneWillDo });
    const down: Provider = () => ({ error: { code: -32603, message: 'down' } });
    const reverting =
      (data: string): Provider =>
      (method) =>
        method === 'eth_chainId' ? { result: '0x2105' } : { error: { code: 3, message: `reverted ${data}`, data } };

    it('W9 I4 behavior: a third decides between two, and the outvoted one is asked last from then on', async () => {
      const liar = await provider(healthy('0x99'));
      const others = [await provider(healthy('0x10')), await provider(healthy('0x10'))];
      const rpc = client([liar, ...others].map(({ url }) => url));
      for (let i = 0; i < 3; i += 1) expect((await ask(rpc)).answer).toBe(0x10);
      expect(liar.asked).toEqual(['eth_chainId', 'eth_blockNumber']);
    });

    it('W9 error: of two that contradict each other, and of one that answers alone, nothing is believed', async () => {
      const [one, two, dead] = [await provider(healthy('0x1')), await provider(healthy('0x2')), await provider(down)];
      await expect(ask(client([one.url, two.url]))).rejects.toThrow('contradict each other');
      await expect(ask(client([one.url, dead.url]))).rejects.toThrow('two have to say the same');
      expect(await ask(client([one.url, dead.url]), true)).toMatchObject({ answer: 1, isAlone: true });
    });

    it('behavior: a revert is an answer, and two are alike when their data is', async () => {
      const [same, other] = [await provider(reverting('0x01')), await provider(reverting('0x02'))];
      await expect(ask(client([same.url, same.url]))).rejects.toMatchObject({ name: 'RpcError', data: '0x01' });
      await expect(ask(client([same.url, other.url]))).rejects.toThrow('contradict each other');
    });

    it('W9 error: of one that refuses while the others are silent, the refusal is not believed', async () => {
      const refusing: Provider = (method) =>
        method === 'eth_chainId' ? { result: '0x2105' } : { error: { code: -32000, message: 'header not found' } };
      const silent: Provider = (method) => (method === 'eth_chainId' ? { result: '0x2105' } : undefined);
      const [one, two, mute] = [await provider(refusing), await provider(refusing), await provider(silent)];
      const urls = [one.url, mute.url, mute.url];
      await expect(ask(client(urls, 1_000))).rejects.toThrow('two have to say the same');
      await expect(ask(client(urls, 1_000), true)).rejects.toMatchObject({ name: 'RpcError' });
      await expect(ask(client([one.url, two.url]))).rejects.toMatchObject({ name: 'RpcError', code: -32000 });
      await expect(ask(client([one.url]))).rejects.toMatchObject({ name: 'RpcError' });
    });

    it('behavior: reverts without data are alike, however a provider writes that there is none', async () => {
      const bare: Provider = (method) =>
        method === 'eth_chainId' ? { result: '0x2105' } : { error: { code: 3, message: 'execution reverted' } };
      const [one, two] = [await provider(bare), await provider(reverting('0x'))];
      await expect(ask(client([one.url, two.url]))).rejects.toMatchObject({ name: 'RpcError', code: 3 });
      const [lower, upper] = [await provider(reverting('0xab')), await provider(reverting('0xAB'))];
      await expect(ask(client([lower.url, upper.url]))).rejects.toMatchObject({ name: 'RpcError' });
    });

    it('behavior: a third is asked beside one that takes longer than 400 ms', async () => {
      const slow = await provider((method) => (method === 'eth_chainId' ? { result: '0x2105' } : undefined));
      const others = [await provider(healthy('0x10')), await provider(healthy('0x10'))];
      const rpc = client(
        [slow, ...others].map(({ url }) => url),
        600_000,
      );
      expect((await ask(rpc)).answer).toBe(0x10);
    });
  });

  it('error: no address at all', () => {
    expect(() => createEvmRpc({ slug: 'base-sepolia', chainId: 84532, urls: [] })).toThrow('RPC_URL_BASE_SEPOLIA');
  });
});
