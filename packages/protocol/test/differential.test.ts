import { toFunctionSelector } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteCurve } from '../src/curve.ts';
import { type ErrorCode, MintageError } from '../src/errors.ts';
import { buyFeeBpsAt } from '../src/fees.ts';
import { poolTypes } from '../src/poolTypes.ts';
import { tradeKinds } from '../src/trade.ts';
import { type CurveCase, randomCurveCase } from './curveCases.ts';
import { compile, type Evm, startEvm } from './foundry.ts';
import { campaign, patience } from './random.ts';

/** TypeScript and Solidity on anvil, case by case: the same integers in every part, and the same refusals. */

const batchSize = 1_000;
const applyAll = toFunctionSelector(
  'applyAll((uint8,uint256,uint256,uint256,uint256,uint256,uint256,uint256,bool,bool)[])',
);
const selectors: Record<string, ErrorCode> = {
  [toFunctionSelector('ZeroAmount()')]: 'AMOUNT_TOO_SMALL',
  [toFunctionSelector('FeesExceedAmount(uint256)')]: 'FEES_EXCEED_AMOUNT',
  [toFunctionSelector('BeyondCurve(uint256,uint256)')]: 'BEYOND_CURVE',
  [toFunctionSelector('BeyondReserve(uint256,uint256)')]: 'BEYOND_RESERVE',
};

let evm: Evm;
let harness: string;
beforeAll(async () => {
  evm = await startEvm();
  const creationCode = await compile('test/harness/CurveHarness.sol');
  harness = await evm.deploy(creationCode);
});
afterAll(() => evm?.stop());

const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');

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

const resultWords = 15;

/** What Solidity answers for each case: an error code, or every number of the trade. */
const solidity = async (cases: CurveCase[]): Promise<string[]> => {
  const data = applyAll + word(32) + word(cases.length) + cases.map(encode).join('');
  const words = (await evm.call(harness, data)).slice(2 + 2 * 64);
  return cases.map((_, index) => {
    const start = index * resultWords * 64;
    const [reverted = '', ...numbers] = Array.from({ length: resultWords }, (_, at) =>
      words.slice(start + at * 64, start + (at + 1) * 64),
    );
    const selector = `0x${reverted.slice(0, 8)}`;
    return selector === '0x00000000'
      ? numbers.map((text) => BigInt(`0x${text}`)).join(' ')
      : (selectors[selector] ?? selector);
  });
};

const typescript = ({ curve, order }: CurveCase): string => {
  try {
    const { grossUsd, netUsd, tokens, after, fees } = quoteCurve(curve, order);
    const parts = [fees.totalUsd, fees.builderUsd, fees.baseUsd, fees.excessUsd, fees.creatorUsd, fees.referralUsd];
    const rest = [fees.referrerUsd, fees.cashbackUsd, fees.treasuryUsd];
    return [grossUsd, netUsd, tokens, after.virtualTokens, after.virtualUsd, ...parts, ...rest].join(' ');
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
};

test(
  'C7 C12 C13 quoteCurve gives the integers and the refusals of Solidity, for any state, order and fee mix',
  patience,
  async () => {
    const { random, cases } = campaign('curve differential', 100_000);
    const seen = new Map<string, number>();
    for (let done = 0; done < cases; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, cases - done) }, () => randomCurveCase(random));
      const answers = await solidity(batch);
      for (const [index, one] of batch.entries()) {
        const expected = answers[index] as string;
        const actual = typescript(one);
        if (actual !== expected) expect({ case: one, answer: actual }).toEqual({ case: one, answer: expected });
        const outcome = expected.includes(' ') ? 'filled' : expected;
        const key = `${one.order.kind} ${outcome}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
    console.log(Object.fromEntries([...seen].toSorted()));
    if (cases < 10_000) return;
    // Every kind fills often enough to mean something, and every refusal was compared.
    for (const kind of tradeKinds) expect(seen.get(`${kind} filled`) ?? 0, kind).toBeGreaterThan(cases / 20);
    for (const code of Object.values(selectors))
      expect(
        [...seen.keys()].some((key) => key.endsWith(code)),
        code,
      ).toBe(true);
  },
);

test('C11 buyFeeBpsAt is the fee of Solidity for every second of the window and after', async () => {
  for (let seconds = 0n; seconds < 10n; seconds += 1n) {
    const answer = await evm.call(harness, toFunctionSelector('buyFeeBps(uint256)') + word(seconds));
    expect(BigInt(answer)).toBe(buyFeeBpsAt(seconds));
  }
});

test('poolTypes are those of Solidity', async () => {
  for (const type of poolTypes)
    for (const decimals of [6n, 18n]) {
      const unit = 10n ** decimals;
      const token = 10n ** 18n;
      const answer = await evm.call(
        harness,
        toFunctionSelector('poolType(uint8,uint256)') + word(type.id) + word(unit),
      );
      const expected = [type.curveTokens * token, type.poolTokens * token, type.virtualTokens * token];
      const usd = [type.virtualUsd * unit, type.creatorRewardUsd * unit];
      expect(answer).toBe(`0x${[...expected, ...usd].map(word).join('')}`);
    }
});
