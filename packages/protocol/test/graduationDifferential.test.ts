import { campaign } from '@mintage/devnet/random';
import { afterAll, beforeAll, test } from 'vitest';
import type { GraduationInput } from '../src/maths/graduation.ts';
import { type Counterpart, compareAll } from './differential.ts';
import { graduationDifferential } from './graduationDifferential.ts';

/** Our graduation against the contract's own `OpeningV4.open` on the real PoolManager, on anvil. */

let chain: Counterpart<GraduationInput>;
beforeAll(async () => {
  chain = await graduationDifferential.start();
});
afterAll(() => chain?.stop());

test('C4 C17 graduate gives the integers of the contract, for every type, decimals, floor and token order', async () => {
  const { seed, cases } = campaign('graduation differential', 1_000);
  await compareAll(graduationDifferential, chain, { seed, cases });
});
