/**
 * The most gas that each kind of call takes, for answers that are not simulated: measured on a local chain with every
 * recipient paid for the first time, plus a fifth (gas.test.ts measures again). Addresses that were never used cost
 * most, so a usual trade takes about half of this.
 */
export const gasBounds = {
  approve: 70_000n,
  curveTrade: 260_000n,
  poolTrade: 340_000n,
  /** A buy that takes the last tokens and makes the pool. */
  graduatingBuy: 900_000n,
  create: 320_000n,
  /** Per byte of name, symbol and address of the metadata: calldata, event and storage. */
  createByte: 720n,
  withdrawBatch: 80_000n,
  withdrawBatchCurrency: 60_000n,
} as const;

/** Gas limit of a simulated call: a fifth more than it took. */
export const gasLimitOf = (gasUsed: bigint): bigint => gasUsed + gasUsed / 5n;
