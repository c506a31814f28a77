import {
  type Decimals,
  type MintagePool,
  type PoolState,
  type PricedState,
  poolTypes,
  tokenDecimalsOn,
  usdIs0,
} from '@mintage/protocol';
import type { QuoteState } from '../generated/types.ts';
import { lower } from '../trusted.ts';

/**
 * The state that an answer's quote was made of. It may be kept: `priceOrder` of it gives the wei of that answer.
 *
 * @param chain - Of either family: `usd` is the address of its dollar.
 */
export const answeredState = (state: QuoteState, { usd }: { usd: string }): PricedState => ({
  curve: state.curve && curveOf(state.curve, { token: tokenDecimalsOn(state.chainSlug), usd: state.usdDecimals }),
  pool: state.pool && poolOf(state.pool, { token: state.token, usd }),
  treasuryShareUsd: BigInt(state.treasuryShareUsdRaw),
  ageSeconds: state.createdAt === null || state.blockTime === null ? 0 : Math.max(0, state.blockTime - state.createdAt),
  // An answer to a buy on a sold-out curve has the pool that it opens.
  graduation: null,
});

const curveOf = (curve: NonNullable<QuoteState['curve']>, decimals: Decimals) => {
  const [virtualTokens, virtualUsd, tokensLeft] = [curve.virtualTokens, curve.virtualUsd, curve.tokensLeft].map(BigInt);
  const known = { virtualTokens: virtualTokens ?? 0n, virtualUsd: virtualUsd ?? 0n, tokensLeft: tokensLeft ?? 0n };
  return { ...known, reserveUsd: reserveOf(known, decimals) };
};

/**
 * What the curve holds, which answers do not say: what it has more than its type starts with. Two types have the same number of
 * tokens; of those the one fits whose reserve would have bought the tokens that are gone.
 */
const reserveOf = (
  { virtualTokens, virtualUsd, tokensLeft }: { virtualTokens: bigint; virtualUsd: bigint; tokensLeft: bigint },
  decimals: Decimals,
): bigint => {
  const reserves = poolTypes.flatMap((type) => {
    const unit = 10n ** BigInt(decimals.token);
    const startUsd = type.virtualUsd * 10n ** BigInt(decimals.usd);
    const isOfType = virtualTokens - tokensLeft === (type.virtualTokens - type.curveTokens) * unit;
    if (!isOfType || virtualUsd < startUsd) return [];
    // The product of both sides never falls, and rounding lifts it by less than one part in a million.
    const [product, start] = [virtualTokens * virtualUsd, type.virtualTokens * unit * startUsd];
    return product - start < start / 100n ? [virtualUsd - startUsd] : [];
  });
  return reserves[0] ?? virtualUsd;
};

const poolOf = (
  pool: NonNullable<QuoteState['pool']>,
  { token, usd }: { token: string | null; usd: string },
): NonNullable<PricedState['pool']> =>
  'edgeTokens' in pool
    ? mintagePoolIn(pool)
    : { ...exchangePoolIn(pool), usdIs0: token !== null && usdIs0(lower(token), lower(usd)) };

type AnsweredPool<Has extends string> = Extract<NonNullable<QuoteState['pool']>, { [Name in Has]: unknown }>;

const mintagePoolIn = (pool: AnsweredPool<'edgeTokens'>): MintagePool => ({
  tokens: BigInt(pool.tokens),
  usd: BigInt(pool.usd),
  floorUsd: BigInt(pool.floorUsd),
  edgeTokens: BigInt(pool.edgeTokens),
  floorTokens: BigInt(pool.floorTokens),
  supply: BigInt(pool.supply),
});

const exchangePoolIn = (pool: AnsweredPool<'sqrtPriceX96'>): PoolState => ({
  sqrtPriceX96: BigInt(pool.sqrtPriceX96),
  tick: pool.tick,
  liquidity: BigInt(pool.liquidity),
  protocolFee: pool.protocolFee,
  ...(pool.tierFee !== null && { tierFee: pool.tierFee }),
  fullRange: { ...pool.fullRange, liquidity: BigInt(pool.fullRange.liquidity) },
  floor: { ...pool.floor, liquidity: BigInt(pool.floor.liquidity) },
  ...(pool.ticks !== null && {
    ticks: pool.ticks.map(({ tick, liquidityNet }) => ({ tick, liquidityNet: BigInt(liquidityNet) })),
  }),
});
