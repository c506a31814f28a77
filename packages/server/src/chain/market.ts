import {
  type Address,
  type CurveState,
  type Deployment,
  type Hash,
  type Pool,
  type PoolType,
  tierFeeV3,
  type VenueKind,
} from '@mintage/protocol';

/** The constant facts of a token. */
export interface TokenFacts {
  /** UUID, as `tokenIdOf` gives it. */
  tokenId: string;
  address: Address;
  name: string;
  symbol: string;
  creator: Address;
  poolType: PoolType;
  /** Unix seconds of its creation's block; null: not created yet. */
  createdAt: number | null;
}

export interface BlockRef {
  number: number;
  /** Null: not known. */
  hash: Hash | null;
  /** Unix seconds. */
  time: number;
}

/** A token's market at one block: everything that a quote is computed from. */
export interface Market {
  /** What it follows from; `pool_type`: from the type alone, before the creation. */
  source: 'chain' | 'index' | 'pool_type';
  /** Null: a token of `poolType` that is not created yet and has no address. */
  token: TokenFacts | null;
  poolType: PoolType;
  /** Null: before the token's creation. */
  block: BlockRef | null;
  usd: { address: Address; symbol: string; decimals: number };
  tokenDecimals: number;
  /** Where it trades once graduated. */
  venue: VenueKind | null;
  /** Null once graduated. */
  curve: CurveState | null;
  /** Null before graduation. */
  pool: Pool | null;
  /** USD kept for the floor, base units; 0 after graduation. */
  floorUsd: bigint;
  /** USD of this token that the treasury has, base units: some pools' rewards are paid out of it. */
  treasuryShareUsd: bigint;
}

/** Whole seconds between the token's creation and the block of this state; 0 before its creation. */
export const ageSeconds = ({ token, block }: Market): number =>
  token === null || token.createdAt === null || block === null ? 0 : Math.max(0, block.time - token.createdAt);

/** Fee of the pool's own tier, pips; undefined where pools have none. */
export const tierFeeOf = ({ venue }: Pick<Market, 'venue'>): number | undefined =>
  venue === 'uniswap_v3' || venue === 'pancake_v3' ? tierFeeV3 : undefined;

export const usdOf = (deployment: Deployment): Market['usd'] => ({
  address: deployment.usd,
  symbol: deployment.usdSymbol,
  decimals: deployment.usdDecimals,
});
