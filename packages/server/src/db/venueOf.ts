import {
  type CurveState,
  curveOf,
  type Decimals,
  type Deployment,
  type LockedRange,
  type MintagePool,
  mintagePoolOf,
  type Pool,
  type PoolState,
  type PoolType,
  poolTypeById,
  tierFeeV3,
} from '@mintage/protocol';
import type { GraduationJson, Row, UniswapGraduationJson } from './chainTables.ts';

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
  | 'pool_tokens'
  | 'pool_usd'
>;

/** Where a token trades according to the index: on its curve, or in its pool once it has graduated. */
export type Venue = { curve: CurveState; pool: null } | { curve: null; pool: Pool };

/**
 * On a v3 exchange the pool has the locked liquidity only: a stranger's comes on top of it, which the index does not know, and can
 * leave at any time.
 */
export const venueOf = (row: VenueRow, decimals: Decimals, { exchange }: Pick<Deployment, 'exchange'>): Venue => {
  const own = ownPoolOf(row);
  if (own !== null) return { curve: null, pool: own };
  const pool = poolOf(row);
  if (pool === null) return { curve: curveIn(row, decimals), pool };
  return { curve: null, pool: exchange === null ? pool : { ...pool, tierFee: tierFeeV3 } };
};

const curveIn = (row: VenueRow, decimals: Decimals): CurveState => {
  const start = curveOf(poolTypeOf(row), decimals);
  return {
    virtualTokens: row.virtual_tokens,
    virtualUsd: row.virtual_usd,
    tokensLeft: row.virtual_tokens - (start.virtualTokens - start.tokensLeft),
    reserveUsd: row.virtual_usd - start.virtualUsd,
  };
};

const poolTypeOf = ({ address, pool_type: id }: Pick<VenueRow, 'address' | 'pool_type'>): PoolType => {
  const poolType = poolTypeById(id);
  if (poolType === undefined) throw new Error(`token ${address} has the unknown pool type ${id}`);
  return poolType;
};

const poolOf = (row: VenueRow): PoolState | null => {
  if (
    row.graduation === null ||
    !isUniswap(row.graduation) ||
    row.sqrt_price_x96 === null ||
    row.liquidity === null ||
    row.tick === null
  )
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

export const isUniswap = (graduation: GraduationJson): graduation is UniswapGraduationJson =>
  'sqrtPriceX96' in graduation;

/** The token's pool where it is one of our own; null before the graduation, and of any other pool. */
export const ownPoolOf = (
  row: Pick<VenueRow, 'address' | 'pool_type' | 'graduation' | 'pool_tokens' | 'pool_usd'>,
): MintagePool | null => {
  if (row.graduation === null || row.pool_tokens === null || row.pool_usd === null) return null;
  const { pool_tokens: tokens, pool_usd: usd, graduation } = row;
  return mintagePoolOf(poolTypeOf(row), { tokens, usd, floorUsd: BigInt(graduation.floorUsd) });
};

/** The pool's locked positions, its only ones on Uniswap v4: the full range and the floor. */
export const lockedRangesOf = ({ fullRange, floor }: UniswapGraduationJson): [LockedRange, LockedRange] => [
  { ...fullRange, liquidity: BigInt(fullRange.liquidity) },
  { ...floor, liquidity: BigInt(floor.liquidity) },
];
