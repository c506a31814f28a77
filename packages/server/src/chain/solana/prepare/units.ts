/**
 * The most compute units that each part of a transaction takes: on a local chain they take two thirds of it, and never more than five sixths
 * (`test/chain/solana/prepared.test.ts` measures again). A derived address takes `derivation` for each bump that is tried besides.
 */
export const unitBounds = {
  /** What surrounds the calls: budget, signatures. */
  transaction: 2_000,
  trade: 14_000,
  /** A buy of the last tokens, or one on a sold-out curve: it opens the pool as well. */
  openingTrade: 20_000,
  create: 60_000,
  openTokenAccount: 24_000,
  openUser: 10_000,
  openFeeVault: 20_000,
  setReferrer: 10_000,
  transfer: 10_000,
  withdraw: 10_000,
  /** For each vault that it is paid out of. */
  withdrawVault: 10_000,
  mintUsd: 10_000,
} as const;

/** One try of a bump. */
const derivation = 1_500;

/** Of an address whose first bump is this one, derived by a program. */
export const derivationUnits = (bump: number): number => (256 - bump) * derivation;
