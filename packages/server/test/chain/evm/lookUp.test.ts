import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokenCodeOf } from '@mintage/protocol';
import { pino } from 'pino';
import { keccak256 } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChainClient } from '../../../src/chain/chainClient.ts';
import { createEvmClient } from '../../../src/chain/evm/evmClient.ts';
import { testChain } from '../../api/testing/testApi.ts';

/** What anybody may look up of a chain, by what several providers say: `readTransaction` and `readToken`. */

const hex = (n: number, bytes: number): `0x${string}` => `0x${n.toString(16).padStart(2 * bytes, '0')}`;
const word = (n: number): `0x${string}` => hex(n, 32);
const wallet = hex(0x70, 20);
const asked = word(0xaa);
const implementation = hex(0xd0, 20);
const code = tokenCodeOf(implementation);

const transaction = { hash: asked, from: wallet, to: hex(0x71, 20), input: '0x', value: '0x5', gas: '0x5208' };
const receipt = {
  transactionHash: asked,
  blockNumber: '0x28',
  blockHash: word(4),
  status: '0x1',
  gasUsed: '0xa',
  effectiveGasPrice: '0x3',
  logs: [{ address: hex(0x72, 20), topics: [word(1)], data: '0x', logIndex: '0x7' }],
};
const block = {
  number: '0x28',
  hash: word(4),
  parentHash: word(3),
  timestamp: '0x64',
  baseFeePerGas: '0x1',
  logsBloom: '0x',
  transactions: [],
};

type Words = Record<string, unknown>;
/** An honest provider, but for what is given. */
const honest = (words: Words = {}): Words => ({
  eth_chainId: '0x14a34',
  eth_getTransactionByHash: transaction,
  eth_getTransactionReceipt: receipt,
  eth_getBlockByHash: block,
  eth_getBlockByNumber: block,
  eth_getCode: code,
  eth_call: word(9),
  ...words,
});

const servers: Server[] = [];
const clients: ChainClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A chain with these providers; null: one that is away. `count` is how many questions were asked of all. */
const chainOf = async (...providers: (Words | null)[]) => {
  const clock = { ms: 0 };
  const heard = { count: 0 };
  const rpcUrls = await Promise.all(
    providers.map(async (words) => {
      if (words === null) return 'http://127.0.0.1:1';
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const part of request) body += part;
        const calls: unknown = JSON.parse(body);
        const answer = ({ id, method }: { id: number; method: string }) => {
          heard.count += 1;
          return { jsonrpc: '2.0', id, result: words[method] };
        };
        response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls as never)));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const served = {
    ...testChain('base-sepolia', 'http://127.0.0.1:1', {
      tokenImplementation: implementation,
      codeHashes: { LaunchToken: keccak256(code) },
    }),
    rpcUrls,
  };
  const options = { log: pino({ level: 'silent' }), voucherKey: null, now: () => clock.ms };
  const client = createEvmClient(served, options);
  clients.push(client);
  return { client, clock, heard };
};

describe('readTransaction', () => {
  const read = async (...providers: (Words | null)[]) => (await chainOf(...providers)).client.readTransaction(asked);

  it('default: as two say; what gas is said to have cost may differ', async () => {
    expect(
      await read(honest(), honest({ eth_getTransactionReceipt: { ...receipt, effectiveGasPrice: '0x4' } })),
    ).toMatchObject({
      block: { number: 40, hash: word(4), time: 100 },
      from: wallet,
      value: 5n,
      whyReverted: null,
      calls: [],
      events: [],
      otherEvents: 1,
      isAlone: false,
    });
  });

  it.each([
    ['another log', { eth_getTransactionReceipt: { ...receipt, logs: [] } }],
    ['another sender', { eth_getTransactionByHash: { ...transaction, from: hex(0x66, 20) } }],
    ['a revert', { eth_getTransactionReceipt: { ...receipt, status: '0x0' } }],
    ['another block', { eth_getTransactionReceipt: { ...receipt, blockHash: word(5) } }],
    ['nothing', { eth_getTransactionByHash: null, eth_getTransactionReceipt: null }],
  ])('behavior: one who tells of %s is outvoted by two, and never believed against one', async (_, lie) => {
    const [first, second] = await Promise.all([
      read(honest(lie), honest(), honest()),
      read(honest(), honest(), honest(lie)),
    ]);
    for (const found of [first, second]) {
      expect(found).toMatchObject({ from: wallet, whyReverted: null, otherEvents: 1, block: { hash: word(4) } });
    }
    await expect(read(honest(lie), honest())).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('behavior: the only one that answers is told as such', async () => {
    expect(await read(null, honest())).toMatchObject({ isAlone: true, from: wallet });
  });

  it('error: what the only one that answers does not know may still be there', async () => {
    const unknowing = honest({ eth_getTransactionByHash: null, eth_getTransactionReceipt: null });
    await expect(read(null, unknowing)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('behavior: in no block yet, or in one that is gone; unknown to all', async () => {
    const waiting = { block: null, feePaid: null, otherEvents: 0 };
    expect(await read(honest({ eth_getTransactionReceipt: null }))).toMatchObject(waiting);
    expect(await read(honest({ eth_getBlockByHash: null }))).toMatchObject(waiting);
    expect(
      await read(honest({ eth_getTransactionByHash: null }), honest({ eth_getTransactionByHash: null })),
    ).toBeNull();
  });

  it('error: nobody answers', async () => {
    await expect(read(null, null)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});

describe('readToken', () => {
  const token = hex(0xf0, 20);

  it('default: hashes of what is there and of what was published, and the supply', async () => {
    const { client } = await chainOf(honest(), honest());
    expect(await client.readToken(token)).toEqual({
      block: 40,
      code: {
        hash: keccak256(code),
        publishedHash: keccak256(code),
        implementation: { address: implementation, hash: keccak256(code), publishedHash: keccak256(code) },
      },
      supply: 9n,
    });
  });

  it('behavior: no contract is no supply, and other code', async () => {
    const { client } = await chainOf(honest({ eth_getCode: '0x', eth_call: '0x' }));
    const { supply, code: found } = await client.readToken(token);
    expect([supply, found?.hash]).toEqual([0n, keccak256('0x')]);
    expect(found?.hash).not.toBe(found?.publishedHash);
  });

  it('behavior: two must say the same', async () => {
    const lie = honest({ eth_getCode: '0x6000' });
    const { client } = await chainOf(honest(), lie);
    await expect(client.readToken(token)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    const { client: outvoting } = await chainOf(lie, honest(), honest());
    expect((await outvoting.readToken(token)).code?.hash).toBe(keccak256(code));
  });

  it('behavior: many who ask at once are told of one reading, kept for 10 seconds; a failed one is not kept', async () => {
    const { client, clock, heard } = await chainOf(honest());
    await Promise.all([client.readToken(token), client.readToken(token)]);
    const once = heard.count;
    clock.ms = 9_999;
    await client.readToken(token);
    expect(heard.count).toBe(once);
    clock.ms = 10_000;
    await client.readToken(token);
    expect(heard.count).toBeGreaterThan(once);

    const words = honest({ eth_getCode: 'nonsense' });
    const { client: broken } = await chainOf(words);
    await expect(broken.readToken(token)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    words.eth_getCode = code;
    expect((await broken.readToken(token)).code?.hash).toBe(keccak256(code));
  });
});
