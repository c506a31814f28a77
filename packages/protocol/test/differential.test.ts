import { campaign } from '@mintage/devnet/random';
import { toFunctionSelector } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyFeeBps } from '../src/maths/fees.ts';
import { poolTypes } from '../src/maths/poolTypes.ts';
import { tradeKinds } from '../src/maths/trade.ts';
import { curveDifferential, refusals, word } from './curveDifferential.ts';
import { compareAll } from './differential.ts';

/** TypeScript and Solidity on anvil, case by case: the same integers in every part, and the same refusals. */

let chain: Awaited<ReturnType<typeof curveDifferential.start>>;
beforeAll(async () => {
  chain = await curveDifferential.start();
});
afterAll(() => chain?.stop());

test('C7 C12 C13 quoteCurve gives the integers and the refusals of Solidity, for any state, order and fee mix', async () => {
  const { seed, cases } = campaign('curve differential', 50_000);
  const seen = new Map<string, number>();
  await compareAll(curveDifferential, chain, {
    seed,
    cases,
    onBatch: (batch, answers) => {
      for (const [index, { order }] of batch.entries()) {
        const answer = answers[index] as string;
        const key = `${order.kind} ${answer.includes(' ') ? 'filled' : answer}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    },
  });
  console.log(Object.fromEntries([...seen].toSorted()));
  if (cases < 10_000) return;
  // Every kind fills often enough to mean something, and every refusal was compared.
  for (const kind of tradeKinds) expect(seen.get(`${kind} filled`) ?? 0, kind).toBeGreaterThan(cases / 20);
  for (const code of Object.values(refusals))
    expect(
      [...seen.keys()].some((key) => key.endsWith(code)),
      code,
    ).toBe(true);
});

test('C11 buyFeeBps is the fee of Solidity for every second of the window and after', async () => {
  for (let seconds = 0n; seconds < 10n; seconds += 1n) {
    const answer = await chain.call(toFunctionSelector('buyFeeBps(uint256)') + word(seconds));
    expect(BigInt(answer)).toBe(buyFeeBps(seconds));
  }
});

test('poolTypes are those of Solidity', async () => {
  for (const type of poolTypes)
    for (const decimals of [6n, 18n]) {
      const unit = 10n ** decimals;
      const token = 10n ** 18n;
      const answer = await chain.call(toFunctionSelector('poolType(uint8,uint256)') + word(type.id) + word(unit));
      const expected = [type.curveTokens * token, type.poolTokens * token, type.virtualTokens * token];
      const usd = [type.virtualUsd * unit, type.creatorRewardUsd * unit];
      expect(answer).toBe(`0x${[...expected, ...usd].map(word).join('')}`);
    }
});
