import { type Script, type ScriptedProvider, startScriptedProvider } from '@mintage/devnet/scriptedProvider';
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

/** An honest provider, but for what is given. */
const honest = (words: Script = {}): Script => ({
  eth_chainId: '0x14a34',
  eth_getTransactionByHash: transaction,
  eth_getTransactionReceipt: receipt,
  eth_getBlockByHash: block,
  eth_getBlockByNumber: block,
  eth_getCode: code,
  eth_call: word(9),
  ...words,
});

const providers: ScriptedProvider[] = [];
const clients: ChainClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
  for (const provider of providers.splice(0)) provider.stop();
});

/** A chain with these providers; null: one that is away. */
const chainOf = async (...scripts: (Script | null)[]) => {
  const clock = { ms: 0 };
  const started = await Promise.all(
    scripts.map(async (script) => (script === null ? null : startScriptedProvider(script))),
  );
  providers.push(...started.filter((one) => one !== null));
  const rpcUrls = started.map((one) => one?.url ?? 'http://127.0.0.1:1');
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
  /** Questions that were asked of all. */
  const count = (): number => started.reduce((sum, one) => sum + (one?.asked.length ?? 0), 0);
  return { client, clock, count };
};

describe('readTransaction', () => {
  const read = async (...scripts: (Script | null)[]) => (await chainOf(...scripts)).client.readTransaction(asked);

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
    const { client, clock, count } = await chainOf(honest());
    await Promise.all([client.readToken(token), client.readToken(token)]);
    const once = count();
    clock.ms = 9_999;
    await client.readToken(token);
    expect(count()).toBe(once);
    clock.ms = 10_000;
    await client.readToken(token);
    expect(count()).toBeGreaterThan(once);

    const words = honest({ eth_getCode: 'nonsense' });
    const { client: broken } = await chainOf(words);
    await expect(broken.readToken(token)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    words.eth_getCode = code;
    expect((await broken.readToken(token)).code?.hash).toBe(keccak256(code));
  });
});
