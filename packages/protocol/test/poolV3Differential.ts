import { readFileSync } from 'node:fs';
import { compiledContract } from '@mintage/devnet/compiledContract';
import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem';
import { type PoolState, type SwapOrder, swap } from '../src/maths/pool/swap.ts';
import type { Counterpart, Differential } from './differential.ts';
import { startEvm } from './foundry.ts';
import { mostPositions, type PoolV3Case, randomPoolV3Case } from './poolV3Cases.ts';

const published = (path: string): Hex =>
  JSON.parse(readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8')).bytecode;

/** Both exchanges' own contracts. */
const exchanges = {
  uniswap: {
    factory: published('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    pool: published('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
  },
  pancake: {
    factory: published('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json'),
    pool: published('@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'),
  },
};

/** Swaps with strangers' liquidity in the ticks: amounts, price, tick and liquidity after each, against the exchange's own pool. */
export const poolV3Differential = (exchange: keyof typeof exchanges) =>
  ({
    name: `pool of ${exchange} v3`,
    batchSize: 50,
    randomCase: randomPoolV3Case,
    typescript: ({ pool: start, swaps }: PoolV3Case): string => {
      let pool: PoolState = start;
      const outcomes = swaps.map((order) => {
        const { amountIn, amountOut, after, unfilled } = swap(pool, order);
        if (unfilled === order.amount && after.sqrtPriceX96 === pool.sqrtPriceX96) return atTheEnd;
        pool = after;
        const amounts = order.zeroForOne ? [amountIn, -amountOut] : [-amountOut, amountIn];
        return [...amounts, after.sqrtPriceX96, after.tick, after.liquidity].join(' ');
      });
      return outcomes.join();
    },
    start: async (): Promise<Counterpart<PoolV3Case>> => {
      const evm = await startEvm();
      try {
        const creationCode = compiledContract('PoolV3Harness').bytecode.object;
        const { factory, pool } = exchanges[exchange];
        const types = [{ type: 'bytes' }, { type: 'bytes' }, { type: 'bool' }] as const;
        const args = encodeAbiParameters(types, [factory, pool, exchange === 'pancake']).slice(2);
        const harness = await evm.deploy(creationCode + args);
        return { answers: (cases) => chain((data) => evm.call(harness, data), cases), stop: evm.stop };
      } catch (error) {
        await evm.stop();
        throw error;
      }
    },
  }) satisfies Differential<PoolV3Case>;

const applyAll = toFunctionSelector(`applyAll((uint160,(int24,int24,uint128)[${mostPositions}],(bool,int256)[3])[])`);
/** A swap that starts at the end of all prices. */
const atTheEnd = 'at the end';
const outcomeWords = 6;

const word = (value: bigint | number): string => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');

const encode = ({ pool, positions, swaps }: PoolV3Case): string =>
  [
    pool.sqrtPriceX96,
    ...Array.from({ length: mostPositions }, (_, i) => positions[i]).flatMap((one) => [
      one?.tickLower ?? 0,
      one?.tickUpper ?? 0,
      one?.liquidity ?? 0,
    ]),
    ...swaps.flatMap(({ zeroForOne, exactIn, amount }: SwapOrder) => [Number(zeroForOne), exactIn ? amount : -amount]),
  ]
    .map(word)
    .join('');

const chain = async (call: (data: string) => Promise<string>, cases: PoolV3Case[]): Promise<string[]> => {
  const words = (await call(applyAll + word(32) + word(cases.length) + cases.map(encode).join(''))).slice(2 + 2 * 64);
  return cases.map(({ swaps }, index) => {
    const outcomes = swaps.map((_, at) => {
      const start = (index * swaps.length + at) * outcomeWords * 64;
      const [refused = '', ...numbers] = Array.from({ length: outcomeWords }, (_, place) =>
        words.slice(start + place * 64, start + (place + 1) * 64),
      );
      if (BigInt(`0x${refused}`) !== 0n) return atTheEnd;
      return numbers.map((text) => BigInt.asIntN(256, BigInt(`0x${text}`))).join(' ');
    });
    return outcomes.join();
  });
};
