import { encodeAbiParameters, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PoolState, type SwapOrder, swap } from '../src/pool/swap.ts';
import { compile, type Evm, poolManagerCode, startEvm } from './foundry.ts';
import { type PoolCase, randomPoolCase } from './poolCases.ts';
import { campaign, patience } from './random.ts';

/** Our swap maths against the PoolManager as Uniswap deploys it, on anvil: amounts, price, tick and liquidity after every swap. */

const batchSize = 100;
const applyAll = toFunctionSelector('applyAll((uint160,uint24,(int24,int24,uint128)[2],(bool,int256)[3])[])');
/** Amounts of 2^127 and more, far beyond any supply. */
const safeCastOverflow = toFunctionSelector('SafeCastOverflow()');
/** A swap that starts at the end of all prices. */
const priceLimitAlreadyExceeded = toFunctionSelector('PriceLimitAlreadyExceeded(uint160,uint160)');

let evm: Evm;
let harness: string;
beforeAll(async () => {
  evm = await startEvm();
  const creationCode = await compile('test/harness/PoolHarness.sol');
  harness = await evm.deploy(creationCode + encodeAbiParameters([{ type: 'bytes' }], [poolManagerCode()]).slice(2));
});
afterAll(() => evm?.stop());

const word = (value: bigint | number): string => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');

const encode = ({ pool, swaps }: PoolCase): string =>
  [
    pool.sqrtPriceX96,
    pool.protocolFee,
    ...[pool.fullRange, pool.floor].flatMap(({ tickLower, tickUpper, liquidity }) => [tickLower, tickUpper, liquidity]),
    ...swaps.flatMap(({ zeroForOne, exactIn, amount }: SwapOrder) => [Number(zeroForOne), exactIn ? -amount : amount]),
  ]
    .map(word)
    .join('');

const outcomeWords = 6;

const manager = async (cases: PoolCase[]): Promise<string[][]> => {
  const data = applyAll + word(32) + word(cases.length) + cases.map(encode).join('');
  const words = (await evm.call(harness, data)).slice(2 + 2 * 64);
  return cases.map(({ swaps }, index) =>
    swaps.map((_, at) => {
      const start = (index * swaps.length + at) * outcomeWords * 64;
      const [reverted = '', ...numbers] = Array.from({ length: outcomeWords }, (_, place) =>
        words.slice(start + place * 64, start + (place + 1) * 64),
      );
      const selector = `0x${reverted.slice(0, 8)}`;
      return selector === '0x00000000'
        ? numbers.map((text) => BigInt.asIntN(256, BigInt(`0x${text}`))).join(' ')
        : selector;
    }),
  );
};

const ours = ({ pool: start, swaps }: PoolCase): string[] => {
  let pool: PoolState = start;
  return swaps.map((order) => {
    const { amountIn, amountOut, after, unfilled } = swap(pool, order);
    if (unfilled === order.amount && after.sqrtPriceX96 === pool.sqrtPriceX96) return priceLimitAlreadyExceeded;
    if (amountIn >= 2n ** 127n || amountOut >= 2n ** 127n) return safeCastOverflow;
    pool = after;
    const amounts = order.zeroForOne ? [-amountIn, amountOut] : [amountOut, -amountIn];
    return [...amounts, after.sqrtPriceX96, after.tick, after.liquidity].join(' ');
  });
};

test(
  'C7 swap gives the integers of the PoolManager, over words, floor and protocol fee, in both token orders',
  patience,
  async () => {
    const { random, cases } = campaign('pool differential', 2_500);
    const seen = { filled: 0, partly: 0, refused: 0, crossed: 0, words: 0, fee: 0 };
    for (let done = 0; done < cases; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, cases - done) }, () => randomPoolCase(random));
      const answers = await manager(batch);
      for (const [index, one] of batch.entries()) {
        const [expected, actual] = [answers[index], ours(one)];
        if (actual.join() !== expected?.join())
          expect({ case: one, answer: actual }).toEqual({ case: one, answer: expected });
        let pool = one.pool;
        for (const order of one.swaps) {
          const { after, unfilled } = swap(pool, order);
          if (unfilled === 0n) seen.filled += 1;
          else if (unfilled < order.amount) seen.partly += 1;
          else seen.refused += 1;
          if (after.liquidity !== pool.liquidity) seen.crossed += 1;
          if (Math.floor(after.tick / 51_200) !== Math.floor(pool.tick / 51_200)) seen.words += 1;
          if (pool.protocolFee !== 0) seen.fee += 1;
          pool = after;
        }
      }
    }
    console.log(seen);
    if (cases < 1_000) return;
    expect(seen.filled).toBeGreaterThan(cases);
    for (const [name, count] of Object.entries(seen))
      if (name !== 'refused') expect(count, name).toBeGreaterThan(cases / 20);
  },
);
