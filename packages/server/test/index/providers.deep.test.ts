import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type DevChain, type DevChains, seedAddress, seedChain, seedTokensOn, startChains } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import { launchpadAbi } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Wire } from '../../src/chain/wire.ts';
import { type RunningDatabase } from '../../src/db/startDatabase.ts';
import type { RawLog } from '../../src/index/events/evm/log.ts';
import { addressBook } from '../../src/index/evm/addressBook.ts';
import { Bloom, bloomOf } from '../../src/index/evm/bloom.ts';
import { Continuity } from '../../src/index/evm/continuity.ts';
import { createEvmFollower } from '../../src/index/evm/evmFollower.ts';
import type { EvmHeader } from '../../src/index/evm/header.ts';
import { type ReadPage, readRange } from '../../src/index/evm/readPage.ts';
import { rpcSource } from '../../src/index/evm/source.ts';
import { topics } from '../../src/index/evm/topics.ts';
import { type Indexer, type IndexerConfig, startIndexer } from '../../src/index/indexer.ts';
import { dropsLogs, type Liar, type Lie, lies, Refusal, startLiar } from './liar.ts';
import { Random } from './random.ts';
import { contentOf, empty } from './tables.ts';

/** Providers that lie, lag and fail, in front of a real chain with the real contracts. */
const runs = Number(process.env.LIE_RUNS ?? 1);
const firstSeed = Number(process.env.LIE_FIRST_SEED ?? 1);
const finalityBlocks = { index: 8, sign: 8 };

let chains: DevChains;
let chain: DevChain;
let otherChain: DevChain;
let liars: Liar[];
let database: RunningDatabase;
let honestDatabase: RunningDatabase;
let honest: Indexer;
let tokens: Hex[];

beforeAll(async () => {
  [chains, database, honestDatabase] = await Promise.all([
    startChains(['base-sepolia', 'unichain-testnet'], { heartbeat: false, seed: (fresh) => seedChain(fresh) }),
    testDatabase(),
    testDatabase(),
  ]);
  [chain, otherChain] = chains.chains as [DevChain, DevChain];
  for (const one of [chain, otherChain]) {
    await one.rpc('anvil_autoImpersonateAccount', [true]);
    await one.rpc('evm_setAutomine', [false]);
  }
  liars = await Promise.all([1, 2, 3].map(() => startLiar(chain.rpcUrl)));
  tokens = await Promise.all(seedTokensOn(chain).map((token) => seedAddress(chain, token)));
  honest = await indexer([chain.rpcUrl], { db: honestDatabase.db });
});
afterAll(async () => {
  await Promise.all((liars ?? []).map((liar) => liar.stop()));
  await honest?.stop();
  await honestDatabase?.stop();
  await database?.stop();
  await chains?.stop();
});
beforeEach(async () => {
  for (const liar of liars) liar.lie = undefined;
  await empty(database.db);
});

/** What the indexer says, by message. */
const notebook = () => {
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const note = (fields: object, message: string) => void lines.push({ message, fields: { ...fields } });
  return { lines, info: note, warn: note, error: note };
};

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

const indexer = (rpcUrls: readonly string[], parts: Partial<IndexerConfig> = {}) =>
  startIndexer({
    db: database.db,
    chains: [{ chain: chain.chain, deployment: chain.deployment, rpcUrls, finalityBlocks }],
    createFollower: createEvmFollower,
    log: quiet,
    pollMs: 10,
    ...parts,
  });

const urls = (...some: Liar[]): string[] => some.map(({ url }) => url);

const row = (from = chain) =>
  database.db.selectFrom('chain').selectAll().where('eid', '=', from.chain.eid).executeTakeFirstOrThrow();

const head = async () => Number(await chain.rpc('eth_blockNumber'));

/** A transaction of an account whose key is not needed; it runs with the next block, or reverts. */
const submit = (from: Hex, to: Hex, functionName: string, args: readonly unknown[]) => {
  const data = encodeFunctionData({ abi: [...launchpadAbi, ...erc20Abi], functionName, args } as never);
  return chain.rpc('eth_sendTransaction', [{ from, to, data, gas: '0x4c4b40' }]);
};

/** Blocks with trades, transfers and claims of random people, some of them empty. */
const mineTrades = async (random: Random, blocks: number, most: number): Promise<void> => {
  const { launchpad } = chain.deployment;
  const people = (['alice', 'bob', 'carol', 'dave'] as const).map((name) => chain.accounts[name].address);
  for (let i = 0; i < blocks; i += 1) {
    for (let j = random.whole(0, most); j > 0; j -= 1) {
      const [who, token] = [random.pick(people), random.pick(tokens)];
      const order = { token, limit: 0n, recipient: who, builder: zeroAddress, builderBps: 0n, referral: zeroAddress };
      const trade = (name: string, amount: bigint) =>
        submit(who, launchpad, name, [{ ...order, amount, deadline: 2n ** 64n }]);
      await random.pick([
        () => trade('buyExactIn', random.amount(50_000_000n)),
        () => trade('sellExactIn', random.amount(10n ** 21n)),
        () => submit(who, token, 'transfer', [random.pick(people), random.amount(10n ** 20n)]),
        () => submit(who, launchpad, 'withdraw', [chain.deployment.usd, random.pick(people), random.amount(10n ** 4n)]),
      ])();
    }
    await chain.rpc('evm_mine');
  }
};

/** Mines at least once. It gives up at last, because the chain of all these tests must not grow without an end. */
const mineUntil = async (condition: () => boolean, running: Indexer, mine: () => Promise<void>): Promise<void> => {
  for (let rounds = 0; rounds < 100; rounds += 1) {
    await mine();
    await running.caughtUp();
    if (condition()) return;
  }
  throw new Error('100 rounds of blocks were not enough.');
};

/**
 * Only the two fastest of three providers are asked for logs: one that is slow leaves the questions to the others. Its head
 * is not late, because two heads decide, and without this one a liar's old head would.
 */
const slowUntil = (condition: () => boolean): Lie => ({
  respond: async (_, calls) => {
    const isHead = calls.some(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === 'latest');
    if (!isHead && !condition()) await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  },
});

/** The tables as an indexer fills them that asks the chain itself. */
const truth = async () => {
  await honest.caughtUp();
  return contentOf(honestDatabase.db);
};

// First, while the chain is the same in every run: which logs are left out goes by their blocks. A transfer alone leaves no
// trace in the other logs of a dense block, so on a chain that differs by run some runs would lack one.
describe('missing logs', () => {
  beforeAll(async () => {
    await mineTrades(new Random(firstSeed), 60, 16);
    await chain.rpc('anvil_mine', ['0x10']);
  });

  const seeds = Array.from({ length: Number(process.env.LIE_RUNS ?? 2) }, (_, i) => firstSeed + i);

  test.each(seeds)('I3 the only provider leaves one percent of the logs out, seed %i: all are found', async (seed) => {
    const [liar] = liars as [Liar];
    liar.lie = dropsLogs(new Random(seed), 0.01);
    const lied = liar.lied;
    const running = await indexer(urls(liar));
    await running.caughtUp();
    const random = new Random(seed);
    await mineUntil(
      () => liar.lied > lied,
      running,
      () => mineTrades(random, 4, 8),
    );
    await running.stop();
    expect(await contentOf(database.db), `seed ${seed}`).toEqual(await truth());
  });

  test.each(seeds)('I3 each of three providers leaves other logs out, seed %i: all are found', async (seed) => {
    for (const [i, liar] of liars.entries()) liar.lie = dropsLogs(new Random(seed * 10 + i), 0.02);
    const running = await indexer(urls(...liars));
    await running.caughtUp();
    await running.stop();
    expect(await contentOf(database.db), `seed ${seed}`).toEqual(await truth());
  });

  test('I3 behavior: a provider without the receipts of a block is asked for those of its transactions', async () => {
    const [liar] = liars as [Liar];
    const honestly = dropsLogs(new Random(firstSeed), 0.02).answer as NonNullable<Lie['answer']>;
    liar.lie = {
      answer: (call, result) =>
        call.method === 'eth_getBlockReceipts' ? new Refusal(-32601, 'no such method') : honestly(call, result),
    };
    const running = await indexer(urls(liar));
    await running.caughtUp();
    await running.stop();
    expect(liar.asked.get('eth_getTransactionReceipt')).toBeGreaterThan(0);
    expect(await contentOf(database.db)).toEqual(await truth());
  });

  test('I3 the bloom that we compute from the logs of a block is the one in its header', async () => {
    const source = rpcSource(new Wire(chain.rpcUrl));
    const last = await head();
    const headers = (await source.headers(Array.from({ length: 60 }, (_, i) => last - i))) as EvmHeader[];
    let logs = 0;
    for (const header of headers) {
      const whole = (await source.wholeBlocks?.([header])) ?? [];
      expect(bloomOf(whole)).toBe(header.logsBloom);
      const bloom = new Bloom(header.logsBloom as Hex);
      expect(whole.every((log) => [log.address, ...log.topics].every((item) => bloom.mayHave(item)))).toBe(true);
      if (whole.length === 0) expect(bloom.mayHave(chain.deployment.launchpad)).toBe(false);
      logs += whole.length;
    }
    expect(logs).toBeGreaterThan(100);
  });

  test('I3 logs that are whole show no sign of a missing one, and each trade that is left out does', async () => {
    const book = addressBook(chain.deployment, tokens);
    const { launchpad } = book;
    const place = { number: chain.deployment.startBlock - 1, hash: null, book };
    const { logs } = (await readRange(rpcSource(new Wire(chain.rpcUrl)), place, await head())) as ReadPage;
    const gaps = (of: RawLog[]) => new Continuity(chain.deployment).gaps(of);
    expect(gaps(logs)).toEqual([]);
    const trades = logs.filter(({ address, topics: [topic] }) => address === launchpad && topic === topics.Trade);
    const silent = trades.filter((trade) => gaps(logs.filter((log) => log !== trade)).length === 0);
    expect(trades.length).toBeGreaterThan(100);
    expect(silent).toEqual([]);
  });

  test('I3 behavior: receipts that leave logs out are refused, also where there is nobody to compare with', async () => {
    const [liar] = liars as [Liar];
    liar.lie = lies['leaves logs out of receipts too'](new Random(firstSeed));
    const log = notebook();
    const running = await indexer(urls(liar), { log });
    await until(() => log.lines.some(({ fields }) => /leave log \d+ out|lack logs/.test(String(fields.reason))));
    liar.lie = undefined;
    await running.caughtUp();
    await running.stop();
    expect(await contentOf(database.db)).toEqual(await truth());
  });
});

const names = Object.keys(lies) as (keyof typeof lies)[];

describe('three providers, one of which lies', () => {
  const cases = names.flatMap((name) => Array.from({ length: runs }, (_, i) => ({ name, seed: firstSeed + i })));
  test.each(cases)('W9 a provider that $name decides nothing, seed $seed', async ({ name, seed }) => {
    const [first, second, third] = liars as [Liar, Liar, Liar];
    const random = new Random(seed);
    first.lie = lies[name](random);
    const lied = first.lied;
    third.lie = slowUntil(() => first.lied > lied);
    const running = await indexer(seed % 2 === 1 ? urls(first, second, third) : urls(second, first, third));
    try {
      await running.caughtUp();
      // Most lies are about one log in ten: which logs are asked for, and so when the first is told, differs by run.
      await mineUntil(
        () => first.lied > lied,
        running,
        () => mineTrades(random, 3, 3),
      );
    } finally {
      await running.stop();
    }
    const followed = await contentOf(database.db);
    expect(followed, `${name}, seed ${seed}`).toEqual(await truth());
  });
});

describe('two providers, one of which lies', () => {
  /** Tables of rows that are written once: whatever is there at any time has to be true. */
  const written = ['trade', 'transfer', 'fee_credit', 'withdrawal', 'referrer'];
  const aboutMoney = names.filter((name) =>
    /leaves|forges|changes|says that|puts|cuts|renumbers|reorg|gives/.test(name),
  );

  test.each(aboutMoney)('W9 while one %s, nothing is written that they do not both say', async (name) => {
    const [first, second] = liars as [Liar, Liar, Liar];
    first.lie = lies[name](new Random(firstSeed));
    const running = await indexer(urls(first, second));
    await Promise.race([running.caughtUp(), new Promise((resolve) => setTimeout(resolve, 150))]);
    await running.stop();
    const [said, content] = [await contentOf(database.db), await truth()];
    for (const table of written) {
      const known = new Set(content[table]);
      expect(known.size, table).toBeGreaterThan(0);
      expect(said[table]?.filter((one) => !known.has(one))).toEqual([]);
    }
  });
});

describe('one provider', () => {
  test('I2 10,000 logs that foreign contracts might have sent leave no row', async () => {
    const [liar] = liars as [Liar];
    liar.lie = {
      answer: ({ method }, result) => {
        if (method !== 'eth_getLogs') return result;
        const logs = result as Record<string, unknown>[];
        const forged = Array.from({ length: logs.length === 0 ? 0 : 10_000 }, (_, i) => ({
          ...logs[i % logs.length],
          address: `0x${(i + 1).toString(16).padStart(40, 'f')}`,
          logIndex: `0x${(1000 + i).toString(16)}`,
        }));
        return [...logs, ...forged];
      },
    };
    const lied = liar.lied;
    const running = await indexer(urls(liar));
    await running.caughtUp();
    await running.stop();
    expect(liar.lied, 'the lie was told').toBeGreaterThan(lied);
    expect(await contentOf(database.db)).toEqual(await truth());
  });

  test('behavior: a limit on the range is found, and kept to', async () => {
    const [liar] = liars as [Liar];
    const spans: number[] = [];
    liar.lie = {
      answer: ({ method, params }, result) => {
        const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
        if (method !== 'eth_getLogs' || fromBlock === undefined) return result;
        spans.push(Number(toBlock) - Number(fromBlock) + 1);
        return (spans.at(-1) as number) > 20 ? new Refusal(-32602, 'block range is limited to 20') : result;
      },
    };
    const running = await indexer(urls(liar));
    await running.caughtUp();
    await running.stop();
    expect(await contentOf(database.db)).toEqual(await truth());
    expect(spans.filter((span) => span > 20).length, spans.join(' ')).toBeLessThan(8);
  });

  test('behavior: a new block is announced, looked for when announcements end, and no block is missed', async () => {
    const [liar] = liars as [Liar];
    const running = await indexer(urls(liar), { pollMs: 600_000 });
    await running.caughtUp();
    const isThere = async () => (await row()).indexed === (await head());
    do {
      await chain.rpc('evm_mine'); // until the socket is open
      await Promise.race([until(isThere), new Promise((resolve) => setTimeout(resolve, 500))]);
    } while (!(await isThere()));
    await mineTrades(new Random(firstSeed), 5, 3);
    await until(async () => (await row()).indexed === (await head())); // nobody polls: only announcements lead there
    liar.announces = false;
    await mineTrades(new Random(firstSeed), 5, 3);
    await running.stop();

    const polling = await indexer(urls(liar), { pollMs: 10 });
    await until(async () => (await row()).indexed === (await head()));
    await polling.stop();
    liar.announces = true;
    expect(await contentOf(database.db)).toEqual(await truth());
  });

  test('I5 while the provider of one chain hangs, the other chain is at its head block by block', async () => {
    const [liar] = liars as [Liar];
    liar.lie = lies['never answers']();
    const both = [
      { chain: chain.chain, deployment: chain.deployment, rpcUrls: urls(liar), finalityBlocks },
      { chain: otherChain.chain, deployment: otherChain.deployment, rpcUrls: [otherChain.rpcUrl], finalityBlocks },
    ];
    const running = await indexer([], { chains: both });
    for (let i = 0; i < 20; i += 1) {
      await otherChain.rpc('evm_mine');
      const mined = Number(await otherChain.rpc('eth_blockNumber'));
      await until(async () => (await row(otherChain)).indexed === mined);
    }
    expect((await row()).status).not.toBe('live');
    liar.lie = undefined;
    await running.caughtUp();
    expect((await row()).status).toBe('live');
    await running.stop();
  });
});

describe('two processes', () => {
  test('I5 one chain is never written by both: one waits, and takes over when the other is killed', async () => {
    const order = {
      chain: chain.chain,
      deployment: chain.deployment,
      rpcUrls: [chain.rpcUrl],
      finalityBlocks,
      pollMs: 10,
      databaseUrl: database.url,
    };
    // They say what troubles them, because a process that stands still would only be seen as a test that takes too long.
    const env = { ...process.env, INDEXER: JSON.stringify(order), INDEXER_LOG: 'yes' };
    const start = () => fork(new URL('indexerProcess.ts', import.meta.url), { env });
    const children = [start(), start()] as const;
    try {
      const writers = new Set<string>();
      for (let i = 0; i < 10; i += 1) {
        await mineTrades(new Random(i), 1, 3);
        await until(async () => (await row().catch(() => undefined))?.indexed === (await head()));
        writers.add((await row()).lease_owner as string);
      }
      expect(writers.size, 'one process wrote all of it').toBe(1);
      const [writer] = writers as unknown as [string];
      const killed = children.find(({ pid }) => writer.split(' ').includes(String(pid)));
      killed?.kill('SIGKILL');
      await mineTrades(new Random(firstSeed), 3, 3);
      await until(async () => (await row()).indexed === (await head()));
      expect((await row()).lease_owner).not.toBe(writer);
    } finally {
      for (const child of children) if (child.connected) child.disconnect();
      await Promise.all(children.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    }
    expect(await contentOf(database.db)).toEqual(await truth());
  });
});
