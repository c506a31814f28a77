import { compiledContract } from '@mintage/devnet/compiledContract';
import { encodeAbiParameters, toFunctionSelector } from 'viem';
import { type PoolState, type SwapOrder, swap } from '../src/maths/pool/swap.ts';
import type { Counterpart, Differential } from './differential.ts';
import { poolManagerCode, startEvm } from './foundry.ts';
import { type PoolCase, randomPoolCase } from './poolCases.ts';

/** Pool swaps: amounts, price, tick and liquidity after every swap, against the PoolManager as Uniswap deploys it. */
export const poolDifferential = {
  name: 'pool',
  batchSize: 100,
  randomCase: randomPoolCase,
  typescript: ({ pool: start, swaps }: PoolCase): string => {
    let pool: PoolState = start;
    const outcomes = swaps.map((order) => {
      const { amountIn, amountOut, after, unfilled } = swap(pool, order);
      if (unfilled === order.amount && after.sqrtPriceX96 === pool.sqrtPriceX96) return priceLimitAlreadyExceeded;
      if (amountIn >= 2n ** 127n || amountOut >= 2n ** 127n) return safeCastOverflow;
      pool = after;
      const amounts = order.zeroForOne ? [-amountIn, amountOut] : [amountOut, -amountIn];
      return [...amounts, after.sqrtPriceX96, after.tick, after.liquidity].join(' ');
    });
    return outcomes.join();
  },
  start: async (): Promise<Counterpart<PoolCase>> => {
    const evm = await startEvm();
    try {
      const creationCode = compiledContract('PoolHarness').bytecode.object;
      const argument = encodeAbiParameters([{ type: 'bytes' }], [poolManagerCode()]).slice(2);
      const harness = await evm.deploy(creationCode + argument);
      return { answers: (cases) => manager((data) => evm.call(harness, data), cases), stop: evm.stop };
    } catch (error) {
      await evm.stop();
      throw error;
    }
  },
} satisfies Differential<PoolCase>;

const applyAll = toFunctionSelector('applyAll((uint160,uint24,(int24,int24,uint128)[2],(bool,int256)[3])[])');
/** Amounts of 2^127 and more, far beyond any supply. */
const safeCastOverflow = toFunctionSelector('SafeCastOverflow()');
/** A swap that starts at the end of all prices. */
const priceLimitAlreadyExceeded = toFunctionSelector('PriceLimitAlreadyExceeded(uint160,uint160)');
const outcomeWords = 6;

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

const manager = async (call: (data: string) => Promise<string>, cases: PoolCase[]): Promise<string[]> => {
  const words = (await call(applyAll + word(32) + word(cases.length) + cases.map(encode).join(''))).slice(2 + 2 * 64);
  return cases.map(({ swaps }, index) => {
    const outcomes = swaps.map((_, at) => {
      const start = (index * swaps.length + at) * outcomeWords * 64;
      const [reverted = '', ...numbers] = Array.from({ length: outcomeWords }, (_, place) =>
        words.slice(start + place * 64, start + (place + 1) * 64),
      );
      const selector = `0x${reverted.slice(0, 8)}`;
      return selector === '0x00000000'
        ? numbers.map((text) => BigInt.asIntN(256, BigInt(`0x${text}`))).join(' ')
        : selector;
    });
    return outcomes.join();
  });
};
