import { curveOf, isExactIn, lensAbi, limitOf, type OrderTerms, poolTypeById, priceOrder } from '@mintage/protocol';
import { createWalletClient, custom, encodeFunctionResult, type Hex, numberToHex, zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../test/errorOf.ts';
import type { TrustedChain } from '../trusted.ts';
import { checkMarket, type MarketOrder } from './checkMarket.ts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const token = address('7');
const chain: TrustedChain = {
  slug: 'base-sepolia',
  chainId: 84_532,
  eid: 40_245,
  launchpad: address('b'),
  tokenBridge: null,
  tokenFactory: address('c'),
  tokenImplementation: address('f'),
  lens: address('e'),
  usd: address('a'),
  usdDecimals: 6,
  venue: 'uniswap_v4',
};
const poolType = poolTypeById(7);
if (poolType === undefined) throw new Error('no pool type');
const decimals = { token: 18, usd: 6 };
const slippageBps = 100n;
const created = 1_000;

/** A curve in which so many dollars are. */
const curveWith = (dollars: bigint) => {
  const untouched = curveOf(poolType, decimals);
  const reserveUsd = dollars * 10n ** 6n;
  const virtualUsd = untouched.virtualUsd + reserveUsd;
  const left = (untouched.virtualTokens * untouched.virtualUsd) / virtualUsd;
  return { tokensLeft: untouched.tokensLeft - (untouched.virtualTokens - left), reserveUsd };
};

interface Block {
  dollars: bigint;
  timestamp: number;
}

const terms: OrderTerms = {
  kind: 'buyExactIn',
  amount: 10n * 10n ** 6n,
  builderBps: 0n,
  hasReferral: false,
  hasReferrer: false,
};
const limitAt = ({ dollars, timestamp }: Block, of = terms): bigint => {
  const state = {
    curve: curveOf(poolType, decimals, curveWith(dollars)),
    pool: null,
    treasuryShareUsd: 0n,
    ageSeconds: timestamp - created,
    graduation: null,
  };
  return limitOf(priceOrder(state, of).trade, slippageBps);
};

const nothing = { tickLower: 0, tickUpper: 0, liquidity: 0n };
const answerOf = (blockNumber: bigint, { dollars, timestamp }: Block): Hex => {
  const { tokensLeft, reserveUsd: usd } = curveWith(dollars);
  const facts = { treasuryShare: 0n, floorUsd: 0n, creator: address('9'), created, poolType: 7, graduated: false };
  const state = { tokensLeft, usd, ...facts };
  const pool = {
    sqrtPriceX96: 0n,
    tick: 0,
    liquidity: 0n,
    protocolFee: 0,
    fullRange: nothing,
    floor: nothing,
    ticks: [],
  };
  const trader = { referrer: zeroAddress, usdBalance: 0n, usdAllowance: 0n, tokenBalance: 0n };
  return encodeFunctionResult({
    abi: lensAbi,
    functionName: 'quoteState',
    result: [blockNumber, BigInt(timestamp), { token, state, ...pool }, trader],
  });
};

/** A wallet whose node has these blocks, the last one the newest. */
const walletWith = (blocks: ReadonlyMap<bigint, Block>) =>
  createWalletClient({
    account: address('1'),
    transport: custom(
      {
        request: async ({ method, params }: { method: string; params: [unknown, string] }) => {
          if (method !== 'eth_call') throw new Error(`${method} is not answered`);
          const [newest] = [...blocks.keys()].slice(-1);
          const [number, block] =
            [...blocks].find(([one]) => numberToHex(one) === params[1]) ??
            (params[1] === 'latest' ? [newest, blocks.get(newest ?? 0n)] : []);
          if (number === undefined || block === undefined) throw new Error('header not found');
          return answerOf(number, block);
        },
      },
      { retryCount: 0 },
    ),
  });

describe('checkMarket', () => {
  const quoted: Block = { dollars: 100n, timestamp: 5_000 };
  /** Somebody sold since, so the same dollars buy more. */
  const better = (secondsLater: number): Block => ({ dollars: 50n, timestamp: quoted.timestamp + secondsLater });
  const order = (changes: Partial<MarketOrder> = {}): MarketOrder => ({
    token,
    terms,
    limit: limitAt(quoted),
    slippageBps,
    blockNumber: 7n,
    ...changes,
  });
  const check = (later: Block, changes: Partial<MarketOrder> = {}) =>
    checkMarket(
      walletWith(
        new Map([
          [7n, quoted],
          [8n, later],
        ]),
      ),
      chain,
      order(changes),
    );
  const refused = async (checking: Promise<void>) => expect((await errorOf(checking)).message).toMatch(/^order\.limit/);

  it('default: a limit that the newest block allows', async () => {
    await check({ ...quoted, timestamp: quoted.timestamp + 9 });
    await check(better(9), { limit: limitAt(better(9)) });
  });

  it('behavior: one that the block of its quote allows, for a minute', async () => {
    expect(limitAt(better(60))).toBeGreaterThan(limitAt(quoted));
    await check(better(60));
    await refused(check(better(61)));
  });

  it('error: one below both blocks, one whose block nobody knows, one of no block', async () => {
    await refused(check(better(1), { limit: limitAt(quoted) - 1n }));
    await refused(check(better(1), { blockNumber: 6n }));
    await refused(check(better(1), { blockNumber: null }));
  });

  it('error: of what is paid at most one above', async () => {
    const exactOut: OrderTerms = { ...terms, kind: 'buyExactOut', amount: 10n ** 21n };
    expect(isExactIn(exactOut.kind)).toBe(false);
    const limit = limitAt(quoted, exactOut);
    await check({ ...quoted, timestamp: 5_001 }, { terms: exactOut, limit });
    await refused(check({ ...quoted, timestamp: 5_001 }, { terms: exactOut, limit: limit + 1n }));
  });
});
