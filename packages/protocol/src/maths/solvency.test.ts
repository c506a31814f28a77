import { zeroAddress, zeroHash } from 'viem';
import { describe, expect, it } from 'vitest';
import { isSolvent, solvencyOf } from './solvency.ts';

const token = {
  token: zeroAddress,
  graduated: false,
  reserveUsd: 100n,
  floorUsd: 20n,
  treasuryShareUsd: 3n,
  inTokens: null,
} as const;

describe('solvencyOf', () => {
  it('default: what is held minus every part, also below zero', () => {
    const block = { number: 1, hash: zeroHash, time: 1 };
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

  it('behavior: solvent is what lacks neither a dollar nor a token', () => {
    const inTokens = (held: bigint) => ({ ...token, inTokens: { held, credits: 7n } });
    expect(isSolvent({ surplusUsd: 0n, tokens: [token, inTokens(7n)] })).toBe(true);
    expect(isSolvent({ surplusUsd: 0n, tokens: [token, inTokens(6n)] })).toBe(false);
    expect(isSolvent({ surplusUsd: -1n, tokens: [token] })).toBe(false);
  });
});
