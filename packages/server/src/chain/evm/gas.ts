/**
 * The most gas that each kind of call takes, for answers that are not simulated: measured on a local chain with every
 * recipient paid for the first time, and a fifth more (`server/test/api/trade/gas.test.ts` measures again, the voucher's part
 * `server/test/api/referrals.test.ts`). A usual trade takes less than half of it.
 */
export const gasBounds = {
  approve: 60_000n,
  /** Transfer of a launched token to a new holder. */
  transfer: 70_000n,
  curveTrade: 260_000n,
  /** Covers a trade through the whole price range of the pool. */
  poolTrade: 360_000n,
  /** A buy of the last tokens, including the gas that the Launchpad requires before it tries to open the pool. */
  graduatingBuy: 950_000n,
  /** A buy on a sold-out curve: it opens the pool and trades there. */
  openingBuy: 900_000n,
  /** On a v3 exchange, with a few of a stranger's ticks in the way. */
  poolTradeV3: 600_000n,
  /** There it makes the pool as well, unless somebody did. */
  openingBuyV3: 7_000_000n,
  create: 180_000n,
  /** Per byte of name, symbol and address of the metadata: calldata, event and storage. */
  createByte: 1_000n,
  /** A voucher in front of another call, in one multicall. */
  setReferrer: 46_000n,
  withdrawBatch: 45_000n,
  withdrawBatchCurrency: 35_000n,
  /** What a pool on a v3 exchange earned, with the fees' first credits. */
  collectPoolFees: 300_000n,
  /** Tokens to another chain: measured 317,000 for the first on a path, with a registration 349,000. */
  crossing: 420_000n,
  /** Also of a name and a symbol as long as they may be. */
  registration: 600_000n,
  announce: 200_000n,
  announceChain: 200_000n,
  /** With a registration: 281,000. */
  delivery: 600_000n,
  /** Of test dollars: a first mint to a new holder costs about 70,000. */
  mint: 100_000n,
} as const;

/** The bound of a call that follows a voucher: inside a `multicall` the caller keeps a 64th of the gas. */
export const withVoucher = (voucher: object | null, bound: bigint): bigint =>
  voucher === null ? bound : ((bound + gasBounds.setReferrer) * 64n) / 63n;
