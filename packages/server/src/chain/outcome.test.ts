import { describe, expect, it } from 'vitest';
import { balanceChanges } from './outcome.ts';

const alice = `0x${'a1'.repeat(20)}` as const;
const bob = `0x${'b0'.repeat(20)}` as const;
const token = `0x${'70'.repeat(20)}` as const;

describe('balanceChanges', () => {
  it('default: net per asset; what comes and goes is left out', () => {
    const moved = (from: typeof alice, to: typeof alice, amount: bigint, asset: typeof alice = token) => ({
      asset,
      from,
      to,
      amount,
    });
    const changes = balanceChanges(alice, [
      moved(alice, bob, 5n),
      moved(bob, alice, 2n),
      moved(alice, alice, 9n),
      moved(alice, bob, 4n, bob),
      moved(bob, alice, 4n, bob),
    ]);
    expect([...changes]).toEqual([[token, -3n]]);
  });
});
