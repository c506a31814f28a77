import { compiledContract } from '@mintage/devnet/compiledContract';
import { toFunctionSelector } from 'viem';
import { quoteCurve } from '../src/maths/curve.ts';
import { tradeKinds } from '../src/maths/trade.ts';
import { type ErrorCode, MintageError } from '../src/schemas/errors.ts';
import { type CurveCase, randomCurveCase } from './curveCases.ts';
import type { Counterpart, Differential } from './differential.ts';
import { startEvm } from './foundry.ts';

/** Curve, fees and opening window: every number of a trade, or its refusal, against `Curve.sol` and `Fees.sol`. */
export const curveDifferential = {
  name: 'curve',
  batchSize: 1_000,
  randomCase: randomCurveCase,
  typescript: ({ curve, order }: CurveCase): string => {
    try {
      const { grossUsd, netUsd, tokens, after, fees } = quoteCurve(curve, order);
      const parts = [fees.total, fees.builder, fees.base, fees.excess, fees.creator, fees.referral];
      const rest = [fees.referrer, fees.cashback, fees.treasury];
      return [grossUsd, netUsd, tokens, after.virtualTokens, after.virtualUsd, ...parts, ...rest].join(' ');
    } catch (error) {
      if (error instanceof MintageError) return error.code;
      throw error;
    }
  },
  start: async (): Promise<CurveCounterpart> => {
    const evm = await startEvm();
    try {
      const harness = await evm.deploy(compiledContract('CurveHarness').bytecode.object);
      const call = (data: string): Promise<string> => evm.call(harness, data);
      return { call, answers: (cases) => solidity(call, cases), stop: evm.stop };
    } catch (error) {
      await evm.stop();
      throw error;
    }
  },
} satisfies Differential<CurveCase>;

interface CurveCounterpart extends Counterpart<CurveCase> {
  /** Any function of the harness. */
  call: (data: string) => Promise<string>;
}

/** What Solidity refuses, in our words. */
export const refusals: Readonly<Record<string, ErrorCode>> = {
  [toFunctionSelector('ZeroAmount()')]: 'AMOUNT_TOO_SMALL',
  [toFunctionSelector('FeesExceedAmount(uint256)')]: 'FEES_EXCEED_AMOUNT',
  [toFunctionSelector('BeyondCurve(uint256,uint256)')]: 'BEYOND_CURVE',
  [toFunctionSelector('BeyondReserve(uint256,uint256)')]: 'BEYOND_RESERVE',
};

const applyAll = toFunctionSelector(
  'applyAll((uint8,uint256,uint256,uint256,uint256,uint256,uint256,uint256,bool,bool)[])',
);
const resultWords = 15;

export const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');

const encode = ({ curve, order }: CurveCase): string =>
  [
    tradeKinds.indexOf(order.kind),
    curve.virtualTokens,
    curve.virtualUsd,
    curve.tokensLeft,
    curve.reserveUsd,
    order.amount,
    order.feeBps,
    order.builderBps,
    Number(order.hasReferral),
    Number(order.hasReferrer),
  ]
    .map(word)
    .join('');

const solidity = async (call: CurveCounterpart['call'], cases: CurveCase[]): Promise<string[]> => {
  const words = (await call(applyAll + word(32) + word(cases.length) + cases.map(encode).join(''))).slice(2 + 2 * 64);
  return cases.map((_, index) => {
    const start = index * resultWords * 64;
    const [reverted = '', ...numbers] = Array.from({ length: resultWords }, (_, at) =>
      words.slice(start + at * 64, start + (at + 1) * 64),
    );
    const selector = `0x${reverted.slice(0, 8)}`;
    return selector === '0x00000000'
      ? numbers.map((text) => BigInt(`0x${text}`)).join(' ')
      : (refusals[selector] ?? selector);
  });
};
