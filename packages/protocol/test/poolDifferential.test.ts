import { campaign } from '@mintage/devnet/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { swap } from '../src/maths/pool/swap.ts';
import { type Counterpart, compareAll } from './differential.ts';
import type { PoolCase } from './poolCases.ts';
import { poolDifferential } from './poolDifferential.ts';

/** Our swap maths against the PoolManager as Uniswap deploys it, on anvil: amounts, price, tick and liquidity after every swap. */

let chain: Counterpart<PoolCase>;
beforeAll(async () => {
  chain = await poolDifferential.start();
});
afterAll(() => chain?.stop());

test('C7 swap gives the integers of the PoolManager, over words, floor and protocol fee, in both token orders', async () => {
  const { seed, cases } = campaign('pool differential', 2_500);
  const seen = { filled: 0, partly: 0, refused: 0, crossed: 0, words: 0, fee: 0 };
  const count = ({ pool: start, swaps }: PoolCase): void => {
    let pool = start;
    for (const order of swaps) {
      const { after, unfilled } = swap(pool, order);
      if (unfilled === 0n) seen.filled += 1;
      else if (unfilled < order.amount) seen.partly += 1;
      else seen.refused += 1;
      if (after.liquidity !== pool.liquidity) seen.crossed += 1;
      if (Math.floor(after.tick / 51_200) !== Math.floor(pool.tick / 51_200)) seen.words += 1;
      if (pool.protocolFee !== 0) seen.fee += 1;
      pool = after;
    }
  };
  await compareAll(poolDifferential, chain, { seed, cases, onBatch: (batch) => batch.forEach(count) });
  console.log(seen);
  if (cases < 1_000) return;
  expect(seen.filled).toBeGreaterThan(cases);
  for (const [name, number] of Object.entries(seen))
    if (name !== 'refused') expect(number, name).toBeGreaterThan(cases / 20);
});
