import {
  chainBySlug,
  curveOf,
  type ErrorCode,
  families,
  isExactIn,
  MintageError,
  meetsLimit,
  mintagePoolOf,
  mostUnits,
  quoteCurve,
  quoteMintagePool,
  type TradeOrder,
  type TradeResult,
} from '@mintage/protocol';
import type { ProgramError } from '@mintage/protocol/solana';
import type { SolanaCase, StoredLaunch } from './cases.ts';

/** What TypeScript says that the program does: its numbers, or the name of its error. */
export interface Filled {
  trade: TradeResult;
  /** What the program stores after it. */
  tokensLeft: bigint;
  reserveUsd: bigint;
}

const errors: Partial<Record<ErrorCode, ProgramError>> = {
  AMOUNT_TOO_SMALL: 'ZeroAmount',
  FEES_EXCEED_AMOUNT: 'FeesExceedAmount',
  BEYOND_CURVE: 'BeyondCurve',
  BEYOND_RESERVE: 'BeyondReserve',
  PARTIAL_FILL: 'BeyondPool',
};
const u64 = 1n << 64n;

export const expectedOf = ({ launch, order, limit }: SolanaCase): Filled | ProgramError => {
  if (order.amount > mostUnits) return 'AmountTooLarge';
  let filled: Filled;
  try {
    filled = launch.isGraduated ? inPool(launch, order) : onCurve(launch, order);
  } catch (error) {
    const name = error instanceof MintageError ? errors[error.code] : undefined;
    if (name === undefined) throw error;
    return name;
  }
  const { trade, tokensLeft, reserveUsd } = filled;
  // The program counts with 64 bits.
  if ([trade.grossUsd, trade.netUsd, trade.tokens, tokensLeft, reserveUsd].some((amount) => amount >= u64))
    return 'AmountTooLarge';
  if (meetsLimit(trade, order, limit)) return filled;
  return isExactIn(order.kind) ? 'TooLittleReceived' : 'TooMuchPaid';
};

const onCurve = (launch: StoredLaunch, order: TradeOrder): Filled => {
  const trade = quoteCurve(curveOf(launch.poolType, decimals, launch), order);
  return { trade, tokensLeft: trade.after.tokensLeft, reserveUsd: trade.after.reserveUsd };
};

const inPool = ({ poolType, tokensLeft, reserveUsd, floorUsd }: StoredLaunch, order: TradeOrder): Filled => {
  const trade = quoteMintagePool(mintagePoolOf(poolType, { tokens: tokensLeft, usd: reserveUsd, floorUsd }), order);
  return { trade, tokensLeft: trade.after.tokens, reserveUsd: trade.after.usd };
};

const decimals = { token: families.solana.tokenDecimals, usd: chainBySlug('solana').dollarToken.decimals };
