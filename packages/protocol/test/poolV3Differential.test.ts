import { campaign } from '@mintage/devnet/random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { swap } from '../src/maths/pool/swap.ts';
import { type Counterpart, compareAll } from './differential.ts';
import type { PoolV3Case } from './poolV3Cases.ts';
import { poolV3Differential } from './poolV3Differential.ts';

/** Our swap maths against the pools of both exchanges as they are published, on anvil, with strangers' liquidity. */
describe.each(['uniswap', 'pancake'] as const)('%s v3', (exchange) => {
  const differential = poolV3Differential(exchange);
  let chain: Counterpart<PoolV3Case>;
  beforeAll(async () => {
    chain = await differential.start();
  });
  afterAll(() => chain?.stop());

  test('C7 swap gives the integers of the pool, over words and foreign ticks, in both token orders', async () => {
    const { seed, cases } = campaign(`${exchange} v3 differential`, 1_000);
    const seen = { filled: 0, crossed: 0, words: 0, strangers: 0 };
    const count = ({ pool: start, positions, swaps }: PoolV3Case): void => {
      if (positions.length > 1) seen.strangers += 1;
      let pool = start;
      for (const order of swaps) {
        const { after, unfilled } = swap(pool, order);
        if (unfilled === 0n) seen.filled += 1;
        if (after.liquidity !== pool.liquidity) seen.crossed += 1;
        if (Math.floor(after.tick / 51_200) !== Math.floor(pool.tick / 51_200)) seen.words += 1;
        pool = after;
      }
    };
    await compareAll(differential, chain, { seed, cases, onBatch: (batch) => batch.forEach(count) });
    console.log(seen);
    if (cases < 1_000) return;
    for (const [name, number] of Object.entries(seen)) expect(number, name).toBeGreaterThan(cases / 20);
  });
});
