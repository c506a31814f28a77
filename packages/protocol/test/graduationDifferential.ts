import { compiledContract } from '@mintage/devnet/compiledContract';
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import { type GraduationInput, graduate } from '../src/maths/graduation.ts';
import type { Counterpart, Differential } from './differential.ts';
import { linked, poolManagerCode, startEvm } from './foundry.ts';
import { randomGraduation } from './graduationCases.ts';

/** Graduation: both positions, the price and every remainder, against the contract's `OpeningV4.open` on the real PoolManager. */
export const graduationDifferential = {
  name: 'graduation',
  batchSize: 100,
  randomCase: randomGraduation,
  typescript: (input: GraduationInput): string => {
    const { pool, usdLocked, tokensLocked, floorUsd, creatorRewardUsd, dustUsd, dustTokens } = graduate(input);
    const amounts = { usdLocked, tokensLocked, floorUsd, creatorReward: creatorRewardUsd, dustUsd, dustTokens };
    return textOf({ ...pool, ...amounts });
  },
  start: async (): Promise<Counterpart<GraduationInput>> => {
    const evm = await startEvm();
    try {
      const library = await evm.deploy(compiledContract('OpeningV4').bytecode.object);
      const creationCode = linked(compiledContract('GraduationHarness').bytecode.object, library);
      const argument = encodeAbiParameters([{ type: 'bytes' }] satisfies AbiParameter[], [poolManagerCode()]);
      const harness = await evm.deploy(creationCode + argument.slice(2));
      return {
        answers: async (inputs) => answersIn(await evm.call(harness, applyAll + encode(inputs))),
        stop: evm.stop,
      };
    } catch (error) {
      await evm.stop();
      throw error;
    }
  },
} satisfies Differential<GraduationInput>;

const applyAll = toFunctionSelector('applyAll((uint8,uint256,uint256,uint256,bool)[])');
const casesType = parseAbiParameters([
  'Case[] cases',
  'struct Case { uint8 poolType; uint256 oneUsd; uint256 raised; uint256 floorUsd; bool usdIs0; }',
]);
const resultType = parseAbiParameters([
  'Graduation[] graduations, uint256[] liquidities',
  'struct Graduation { uint160 sqrtPriceX96; int24 tick; Range fullRange; Range floor; uint256 usdLocked; uint256 tokensLocked; uint256 floorUsd; uint256 creatorReward; uint256 dustUsd; uint256 dustTokens; }',
  'struct Range { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
]);

const encode = (inputs: GraduationInput[]): string => {
  const cases = inputs.map(({ poolType, decimals, curve, floorUsd, usdIs0 }) => ({
    poolType: poolType.id,
    oneUsd: 10n ** BigInt(decimals.usd),
    raised: curve.reserveUsd,
    floorUsd,
    usdIs0: usdIs0,
  }));
  return encodeAbiParameters(casesType, [cases]).slice(2);
};

const answersIn = (answer: string): string[] => {
  const [graduations, liquidities] = decodeAbiParameters(resultType, answer as `0x${string}`);
  return graduations.map((graduation, index) => textOf({ ...graduation, liquidity: liquidities[index] as bigint }));
};

type Outcome = Omit<ReturnType<typeof graduate>['pool'], 'protocolFee' | 'usdIs0'> &
  Record<'usdLocked' | 'tokensLocked' | 'floorUsd' | 'creatorReward' | 'dustUsd' | 'dustTokens', bigint>;

const textOf = ({ fullRange, floor, ...outcome }: Outcome): string => {
  const ranges = [fullRange, floor].flatMap(({ tickLower, tickUpper, liquidity }) => [tickLower, tickUpper, liquidity]);
  const { sqrtPriceX96, tick, liquidity, usdLocked, tokensLocked } = outcome;
  const { floorUsd, creatorReward, dustUsd, dustTokens } = outcome;
  const amounts = [usdLocked, tokensLocked, floorUsd, creatorReward, dustUsd, dustTokens];
  return [sqrtPriceX96, tick, liquidity, ...ranges, ...amounts].join(' ');
};
