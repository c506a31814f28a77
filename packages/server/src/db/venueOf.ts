import {
  type CurveState,
  curveOf,
  type Decimals,
  type Deployment,
  type LockedRange,
  type Pool,
  type PoolState,
  poolTypeById,
  tierFeeV3,
} from '@mintage/protocol';
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
export type Venue = { curve: CurveState; pool: null } | { curve: null; pool: Pool };

/**
 * On a v3 exchange the pool has the locked liquidity only: a stranger's comes on top of it, which the index does not know, and can
 * leave at any time.
 */
export const venueOf = (row: VenueRow, decimals: Decimals, { exchange }: Pick<Deployment, 'exchange'>): Venue => {
  const pool = poolOf(row);
  if (pool === null) return { curve: curveIn(row, decimals), pool };
  return { curve: null, pool: exchange === null ? pool : { ...pool, tierFee: tierFeeV3 } };
};

const curveIn = (row: VenueRow, decimals: Decimals): CurveState => {
  const poolType = poolTypeById(row.pool_type);
  if (poolType === undefined) throw new Error(`token ${row.address} has the unknown pool type ${row.pool_type}`);
  const start = curveOf(poolType, decimals);
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

/** The pool's locked positions, its only ones on Uniswap v4: the full range and the floor. */
export const lockedRangesOf = ({ fullRange, floor }: GraduationJson): [LockedRange, LockedRange] => [
  { ...fullRange, liquidity: BigInt(fullRange.liquidity) },
  { ...floor, liquidity: BigInt(floor.liquidity) },
];
