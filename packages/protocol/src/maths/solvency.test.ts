import { zeroAddress, zeroHash } from 'viem';
import { describe, expect, it } from 'vitest';
import { solvencyOf } from './solvency.ts';

describe('solvencyOf', () => {
  it('default: what is held minus every part, also below zero', () => {
    const block = { number: 1, hash: zeroHash, time: 1 };
    const token = { token: zeroAddress, graduated: false, reserveUsd: 100n, floorUsd: 20n, treasuryShareUsd: 3n };
    const books = { block, usd: zeroAddress, tokens: [token, token], credits: [4n, 5n] };
    expect(solvencyOf({ ...books, heldUsd: 255n }).surplusUsd).toBe(0n);
    expect(solvencyOf({ ...books, heldUsd: 254n }).surplusUsd).toBe(-1n);
    expect(solvencyOf({ ...books, heldUsd: 300n })).toMatchObject({
      reserveUsd: 200n,
      floorUsd: 40n,
      treasuryShareUsd: 6n,
      creditsUsd: 9n,
      surplusUsd: 45n,
    });
  });
});
