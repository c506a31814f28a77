import { type CurveState, curveOf, type LockedRange, type PoolState, poolTypeById } from '@mintage/protocol';
import type { GraduationJson, Row } from './chainTables.ts';

type VenueRow = Pick<
  Row<'token'>,
  | 'address'
  | 'pool_type'
  | 'virtual_tokens'
  | 'virtual_usd'
  | 'graduation'
  | 'sqrt_price_x96'
  | 'liquidity'
  | 'tick'
  | 'protocol_fee'
>;

/** Where a token trades according to the index: on its curve, or in its pool once it has graduated. */
export type Venue = { curve: CurveState; pool: null } | { curve: null; pool: PoolState };

/** @param usdDecimals - Of the chain's dollar token. */
export const venueOf = (row: VenueRow, usdDecimals: number): Venue => {
  const pool = poolOf(row);
  return pool === null ? { curve: curveIn(row, usdDecimals), pool } : { curve: null, pool };
};

const curveIn = (row: VenueRow, usdDecimals: number): CurveState => {
  const poolType = poolTypeById(row.pool_type);
  if (poolType === undefined) throw new Error(`token ${row.address} has the unknown pool type ${row.pool_type}`);
  const start = curveOf(poolType, usdDecimals);
  return {
    virtualTokens: row.virtual_tokens,
    virtualUsd: row.virtual_usd,
    tokensLeft: row.virtual_tokens - (start.virtualTokens - start.tokensLeft),
    reserveUsd: row.virtual_usd - start.virtualUsd,
  };
};

const poolOf = (row: VenueRow): PoolState | null => {
  if (row.graduation === null || row.sqrt_price_x96 === null || row.liquidity === null || row.tick === null)
    return null;
  const [fullRange, floor] = lockedRangesOf(row.graduation);
  return {
    sqrtPriceX96: row.sqrt_price_x96,
    tick: row.tick,
    liquidity: row.liquidity,
    protocolFee: row.protocol_fee,
    fullRange,
    floor,
  };
};

/** The pool's only positions: the full range and the floor. */
export const lockedRangesOf = ({ fullRange, floor }: GraduationJson): [LockedRange, LockedRange] => [
  { ...fullRange, liquidity: BigInt(fullRange.liquidity) },
  { ...floor, liquidity: BigInt(floor.liquidity) },
];
