import type { Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Random } from '../../../test/index/random.ts';
import { SyntheticChain } from '../../../test/index/syntheticChain.ts';
import { Provider } from '../../chain/provider.ts';
import { RpcError, ThrottledError } from '../../chain/wire.ts';
import { inOrder } from '../events/evm/log.ts';
import type { Position } from '../position.ts';
import { agreedSource } from './agreedSource.ts';
import { follow } from './follow.ts';
import type { EvmHeader } from './header.ts';
import { readHeaders } from './readPage.ts';
import { type ChainSource, isAnswer, type LogFilter } from './source.ts';

const chainId = 84532;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const hashOf = (number: number, branch = ''): Hex =>
  `0x${branch}${number.toString(16).padStart(64 - branch.length, '0')}`;
const headerOf = (number: number, branch = ''): EvmHeader => ({
  number,
  hash: hashOf(number, branch),
  parentHash: hashOf(number - 1),
  timestamp: number,
});

/** A provider at block 100 that counts the requests it gets. */
const at100 = (parts: Partial<ChainSource> = {}) => {
  const asked = { times: 0 };
  const source: ChainSource = {
    identity: async () => chainId,
    head: async () => headerOf(100),
    headers: async (numbers) => numbers.map((number) => (number > 100 ? undefined : headerOf(number))),
    logs: async () => [],
    ...parts,
  };
  const counted: ChainSource = {
    ...source,
    headers: (numbers) => {
      asked.times += 1;
      return source.headers(numbers);
    },
  };
  return { source: counted, asked };
};

const down = async () => {
  throw new Error('connection refused');
};
const never = () => new Promise<never>(() => {});

const providerOf = (name: string, line: ChainSource) =>
  new Provider({ name, line, identity: chainId, log: quiet, isAnswer });

const agreed = (...members: { source: ChainSource }[]) =>
  agreedSource(members.map(({ source }, i) => providerOf(`provider ${i}`, source)));

const hash = async (source: ChainSource, number: number) => (await source.headers([number]))[0]?.hash;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('agreedSource', () => {
  test('default: two that say the same are enough; the third is not asked', async () => {
    const members = [at100(), at100(), at100()];
    expect(await hash(agreed(...members), 7)).toBe(hashOf(7));
    expect(members.map(({ asked }) => asked.times)).toEqual([1, 1, 0]);
  });

  test('W9 behavior: a head needs no second question only where two show the very same', async () => {
    const isAgreed = async (...members: { source: ChainSource }[]) => (await agreed(...members).head()).isAgreed;
    const forked = at100({ head: async () => headerOf(100, 'f') });
    const ahead = at100({ head: async () => headerOf(101) });
    expect(await isAgreed(at100())).toBe(true);
    expect(await isAgreed(at100(), at100())).toBe(true);
    expect(await isAgreed(forked, at100())).toBe(false);
    expect(await isAgreed(ahead, at100())).toBe(false);
    expect(await isAgreed(at100(), at100({ head: down }))).toBe(false);
    const asked: number[][] = [];
    const headers = async (numbers: readonly number[]) => {
      asked.push([...numbers]);
      return numbers.map((number) => headerOf(number));
    };
    for (const isAgreed of [false, true]) {
      const head = { ...headerOf(100), isAgreed };
      expect(await readHeaders(at100({ headers }).source, [99, 100], head)).toMatchObject([
        headerOf(99),
        headerOf(100),
      ]);
    }
    expect(asked).toEqual([[99, 100], [99]]);
  });

  test('W9 behavior: a third decides, and the outvoted one is left alone, longer each time', async () => {
    const liar = at100({ headers: async (numbers) => numbers.map((number) => headerOf(number, 'f')) });
    const provider = providerOf('liar', liar.source);
    const others = ['b', 'c'].map((name) => providerOf(name, at100().source));
    const source = agreedSource([provider, ...others]);
    for (let i = 0; i < 10; i += 1) expect(await hash(source, 7)).toBe(hashOf(7));
    expect(liar.asked.times).toBe(1);
    for (const restMs of [30_000, 60_000, 120_000]) {
      await vi.advanceTimersByTimeAsync(restMs - 1);
      expect(provider.isUsable).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(provider.isUsable).toBe(true);
      provider.outvoted('block 7');
    }
  });

  test('W9 error: two providers disagree, or three say three things', async () => {
    const says = (branch: string) =>
      at100({ headers: async (numbers) => numbers.map((number) => headerOf(number, branch)) });
    await expect(hash(agreed(at100(), says('f')), 7)).rejects.toThrow(
      'providers disagree about block 7: provider 0, provider 1',
    );
    await expect(hash(agreed(at100(), says('f'), says('e')), 7)).rejects.toThrow('providers disagree');
  });

  test('W9 error: one of three alone is not believed; one of two is, while the other is down', async () => {
    const broken = () => at100({ headers: down, head: down });
    await expect(hash(agreed(broken(), at100(), broken()), 7)).rejects.toThrow('only provider 1 answers: connection');
    await expect(agreed(broken(), at100(), broken()).head()).rejects.toThrow('only one provider answers: connection');
    expect(await hash(agreed(broken(), at100()), 7)).toBe(hashOf(7));
    expect((await agreed(broken(), at100()).head()).number).toBe(100);
  });

  test('behavior: a failed provider is left alone for 30 seconds, then asked once', async () => {
    let times = 0;
    const head = async () => {
      times += 1;
      return down();
    };
    const source = agreed(at100({ head }), at100(), at100());
    for (let i = 0; i < 10; i += 1) await source.head();
    expect(times).toBe(1);
    await vi.advanceTimersByTimeAsync(30_000);
    for (let i = 0; i < 10; i += 1) await source.head();
    expect(times).toBe(2);
  });

  test('behavior: a slow provider gets company', async () => {
    const slow = at100({ headers: never });
    const answer = hash(agreed(slow, at100(), at100()), 7);
    await vi.advanceTimersByTimeAsync(500);
    expect(await answer).toBe(hashOf(7));
  });

  test('behavior: a provider that is asked too often is given the time it wants', async () => {
    const times: number[] = [];
    const busy = at100({
      headers: async (numbers) => {
        times.push(performance.now());
        if (times.length === 1) throw new ThrottledError(1_000);
        return numbers.map((number) => headerOf(number));
      },
    });
    const source = agreed(busy);
    await expect(hash(source, 1)).rejects.toThrow('asked too often');
    const answer = hash(source, 1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await answer).toBe(hashOf(1));
    expect(times.length).toBe(2);
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(1_000);
  });

  test('behavior: one that lags has no voice, and one that stands still is left alone', async () => {
    const lagging = at100({
      head: async () => headerOf(90),
      headers: async (numbers) => numbers.map((number) => (number > 90 ? undefined : headerOf(number))),
    });
    expect(await hash(agreed(lagging, at100(), at100()), 95)).toBe(hashOf(95));
    await expect(hash(agreed(lagging, at100()), 95)).rejects.toThrow('too few providers know block 95 yet');
    const two = agreed(lagging, at100());
    expect((await two.head()).number).toBe(90);
    await vi.advanceTimersByTimeAsync(30_001);
    await two.head();
    expect((await two.head()).number).toBe(100);
  });

  test('W9 behavior: the head is the newest block that two have', async () => {
    const ahead = at100({ head: async () => headerOf(1_000_000) });
    const source = agreed(ahead, at100(), at100());
    expect((await source.head()).number).toBe(100);
  });

  test('error: a refusal is passed on, so that the range becomes shorter', async () => {
    const refusing = () =>
      at100({
        logs: async () => {
          throw new RpcError('eth_getLogs', -32005, 'too many');
        },
      });
    const some = [{ from: 1, to: 9 }, [], []] as const;
    await expect(agreed(refusing(), refusing(), at100()).logs(...some)).rejects.toThrow('too many');
    expect(await agreed(refusing(), at100(), at100()).logs(...some)).toEqual([]);
  });

  test('error: no provider at all', () => {
    expect(() => agreedSource([])).toThrow('at least one RPC URL');
  });
});

/** The same chain seen from a node that is some blocks behind, more or fewer each time it is asked. */
const laggard = (chain: SyntheticChain, random: Random): ChainSource => {
  let seen = chain.height;
  return {
    identity: async () => chainId,
    head: async () => {
      seen = Math.max(1, chain.height - random.whole(0, 6));
      return (await chain.headers([seen]))[0] as EvmHeader;
    },
    headers: async (numbers) => {
      const headers = await chain.headers(numbers);
      return headers.map((header) => (header !== undefined && header.number <= seen ? header : undefined));
    },
    logs: async (filter: LogFilter) => inOrder(await chain.logs(filter)).filter((log) => log.blockNumber <= seen),
  };
};

describe('follow', () => {
  beforeEach(() => {
    vi.useRealTimers();
  });

  test('I4 1,000 times a node at another height answers: nothing is undone, and no block is left out', async () => {
    const random = new Random(4);
    const chain = new SyntheticChain(4);
    chain.mine(20);
    const sources = [1, 2, 3].map((seed) => laggard(chain, new Random(seed)));
    const source = agreed(...sources.map((one) => ({ source: one })));
    const position = {
      number: 0,
      hash: (await chain.headers([0]))[0]?.hash as Hex,
      finalized: 0,
      hashes: new Map(),
      tokens: new Set(),
    } as unknown as Position;
    const contracts = {
      launchpad: `0x${'1'.repeat(40)}`,
      poolManager: null,
      tokenBridge: null,
      layerZeroEndpoint: null,
      exchange: null,
      usd: `0x${'2'.repeat(40)}`,
    } as const;
    let switches = 0;
    for await (const change of follow(source, position, { contracts, finalityBlocks: 10 })) {
      expect(change.type).not.toBe('reorg');
      if (change.type === 'block') {
        expect(change.from).toBe(position.number + 1);
        Object.assign(position, { number: change.to.number, hash: change.to.hash, finalized: change.finalized });
        for (const { number, hash: own } of change.headers) position.hashes.set(number, own);
      }
      if (random.chance(0.2)) chain.mine(1);
      switches += 1;
      if (switches === 1_000) break;
    }
    expect(position.number).toBeGreaterThan(chain.height - 20);
  });
});
