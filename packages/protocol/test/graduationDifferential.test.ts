import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GraduationInput, graduate } from '../src/graduation.ts';
import { compile, type Evm, poolManagerCode, startEvm } from './foundry.ts';
import { randomGraduation } from './graduationCases.ts';
import { campaign, patience } from './random.ts';

/** Our graduation against the contract's own `PoolVenue.open` on the real PoolManager, on anvil. */

const batchSize = 100;
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

let evm: Evm;
let harness: string;
beforeAll(async () => {
  evm = await startEvm();
  const creationCode = await compile('test/harness/GraduationHarness.sol');
  const argument = encodeAbiParameters([{ type: 'bytes' }] satisfies AbiParameter[], [poolManagerCode()]);
  harness = await evm.deploy(creationCode + argument.slice(2));
});
afterAll(() => evm?.stop());

const solidity = async (inputs: GraduationInput[]): Promise<unknown[]> => {
  const cases = inputs.map(({ poolType, usdDecimals, curve, floorUsd, usdIsCurrency0 }) => ({
    poolType: poolType.id,
    oneUsd: 10n ** BigInt(usdDecimals),
    raised: curve.reserveUsd,
    floorUsd,
    usdIs0: usdIsCurrency0,
  }));
  const answer = await evm.call(harness, applyAll + encodeAbiParameters(casesType, [cases]).slice(2));
  const [graduations, liquidities] = decodeAbiParameters(resultType, answer as `0x${string}`);
  return graduations.map((graduation, index) => ({ ...graduation, liquidity: liquidities[index] }));
};

const typescript = (input: GraduationInput): unknown => {
  const { pool, usdLocked, tokensLocked, floorUsd, creatorRewardUsd, dustUsd, dustTokens } = graduate(input);
  const { sqrtPriceX96, tick, fullRange, floor, liquidity } = pool;
  const amounts = { usdLocked, tokensLocked, floorUsd, creatorReward: creatorRewardUsd, dustUsd, dustTokens };
  return { sqrtPriceX96, tick, fullRange, floor, ...amounts, liquidity };
};

test(
  'C4 C17 graduate gives the integers of the contract, for every type, decimals, floor and token order',
  patience,
  async () => {
    const { random, cases } = campaign('graduation differential', 1_000);
    for (let done = 0; done < cases; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, cases - done) }, () => randomGraduation(random));
      const answers = await solidity(batch);
      for (const [index, input] of batch.entries())
        expect({ input, answer: typescript(input) }).toEqual({ input, answer: answers[index] });
    }
  },
);
