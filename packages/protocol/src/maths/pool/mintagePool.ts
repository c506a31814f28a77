import { families } from '../../chains/families.ts';
import { MintageError } from '../../schemas/errors.ts';
import type { CurveState } from '../curve.ts';
import { grossOfNetUp, netOfGrossDown, splitFee, totalBps } from '../fees.ts';
import { type PoolType, totalSupply } from '../poolTypes.ts';
import { mulDivDown, mulDivUp } from '../rounding.ts';
import { type Price, requireSome, type TradeOrder, type TradeResult, tradeResult } from '../trade.ts';

/**
 * Our own pool on Solana: a graduated token's curve goes on as a constant product on what is really there, without an end, and below
 * the curve's first price with the floor's dollars beside it. Every rounding is against the trader. Same integers as
 * `packages/solana/program/src/pool.rs`.
 */
export interface MintagePool {
  /** Tokens in the pool, base units. */
  tokens: bigint;
  /** Dollars in the pool without the floor's, base units. */
  usd: bigint;
  /** Base units; they trade only below the curve's first price. */
  floorUsd: bigint;
  /** With so many tokens in it the pool is at the curve's first price. */
  edgeTokens: bigint;
  /** Virtual tokens that the floor stands against, at the curve's first price, rounded down. */
  floorTokens: bigint;
  /** Of the token: nobody sells more than is not in the pool. */
  supply: bigint;
}

/** Base units of Solana's tokens, and of its dollar, which has as many. */
const unit = 10n ** BigInt(families.solana.tokenDecimals);
/** The most base units that an order or a floor counts: the program refuses more. */
export const mostUnits = 1n << 62n;

/** The pool of a token of this type with what the program stores. */
export const mintagePoolOf = (
  poolType: PoolType,
  { tokens, usd, floorUsd }: Pick<MintagePool, 'tokens' | 'usd' | 'floorUsd'>,
): MintagePool => {
  const { poolTokens, virtualTokens, virtualUsd, curveTokens } = poolType;
  return {
    tokens,
    usd,
    floorUsd,
    // The pool opens at the curve's last price, which is the first one times (A₀/A₁)².
    edgeTokens: mulDivDown(poolTokens * unit, virtualTokens, virtualTokens - curveTokens),
    floorTokens: mulDivDown(floorUsd, virtualTokens, virtualUsd),
    supply: totalSupply * unit,
  };
};

export interface MintageGraduation {
  pool: MintagePool;
  creatorRewardUsd: bigint;
  /** Dollars of the floor that it cannot count: the treasury's. */
  dustUsd: bigint;
}

/** The pool that a sold out curve opens, all in base units. @throws BEYOND_CURVE while tokens are left. */
export const graduateMintage = (
  poolType: PoolType,
  { tokensLeft, reserveUsd }: Pick<CurveState, 'tokensLeft' | 'reserveUsd'>,
  floorUsd: bigint,
): MintageGraduation => {
  if (tokensLeft > 0n)
    throw new MintageError('BEYOND_CURVE', 'A curve with tokens left cannot graduate.', {
      details: { leftRaw: tokensLeft.toString() },
    });
  const mostFloorUsd = mulDivDown(mostUnits, poolType.virtualUsd, poolType.virtualTokens);
  const floor = floorUsd < mostFloorUsd ? floorUsd : mostFloorUsd;
  const creatorRewardUsd = poolType.creatorRewardUsd * unit;
  const inPool = { tokens: poolType.poolTokens * unit, usd: reserveUsd - creatorRewardUsd, floorUsd: floor };
  return { pool: mintagePoolOf(poolType, inPool), creatorRewardUsd, dustUsd: floorUsd - floor };
};

export interface MintagePoolTrade extends TradeResult {
  /** The pool after the trade. */
  after: MintagePool;
}

/**
 * What an order does to the pool, to the base unit.
 *
 * @throws AMOUNT_TOO_SMALL, FEES_EXCEED_AMOUNT, PARTIAL_FILL (more than the pool has, or than anybody can sell).
 */
export const quoteMintagePool = (pool: MintagePool, order: TradeOrder): MintagePoolTrade => {
  const sumBps = totalBps(order);
  const { amount } = order;
  const after = { ...pool };
  const [grossUsd, netUsd, tokens] = ((): [bigint, bigint, bigint] => {
    switch (order.kind) {
      case 'buyExactIn': {
        const net = netOfGrossDown(amount, sumBps);
        return [amount, net, takeUsd(after, net)];
      }
      case 'buyExactOut': {
        const net = giveTokens(after, amount);
        return [grossOfNetUp(net, sumBps), net, amount];
      }
      case 'sellExactIn': {
        const gross = takeTokens(after, amount);
        return [gross, netOfGrossDown(gross, sumBps), amount];
      }
      case 'sellExactOut': {
        const gross = grossOfNetUp(amount, sumBps);
        return [gross, amount, giveUsd(after, gross)];
      }
    }
  })();
  requireSome(tokens, netUsd);
  const fees = splitFee(grossUsd, grossUsd - netUsd, order);
  return { ...tradeResult(order.kind, grossUsd, netUsd, tokens, fees), after };
};

/** The marginal price of the next trade; at the edge that of the next buy. */
export const mintagePoolPrice = (pool: MintagePool): Price => (aboveEdge(pool) > 0n ? lower(pool) : upper(pool));

/** A constant product above the floor's edge, and below it. */
const upper = ({ tokens, usd }: MintagePool): Price => ({ tokens, usd });
const lower = ({ tokens, usd, floorTokens, floorUsd }: MintagePool): Price => ({
  tokens: tokens + floorTokens,
  usd: usd + floorUsd,
});

const tokensForUsdDown = ({ tokens, usd }: Price, usdIn: bigint): bigint => mulDivDown(tokens, usdIn, usd + usdIn);
const usdForTokensUp = ({ tokens, usd }: Price, out: bigint): bigint => mulDivUp(usd, out, tokens - out);
const usdFromTokensDown = ({ tokens, usd }: Price, tokensIn: bigint): bigint =>
  mulDivDown(usd, tokensIn, tokens + tokensIn);
const tokensFromUsdUp = ({ tokens, usd }: Price, out: bigint): bigint => mulDivUp(tokens, out, usd - out);

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
/** Tokens in the pool beyond the edge. */
const aboveEdge = ({ tokens, edgeTokens }: MintagePool): bigint => positive(tokens - edgeTokens);

const move = (pool: MintagePool, tokens: bigint, usd: bigint): void => {
  pool.tokens += tokens;
  pool.usd += usd;
};

/** The tokens that dollars buy. Below the edge they come to it first. */
const takeUsd = (pool: MintagePool, usdIn: bigint): bigint => {
  const above = aboveEdge(pool);
  const toEdge = above > 0n ? usdForTokensUp(lower(pool), above) : 0n;
  if (usdIn < toEdge) {
    const tokens = tokensForUsdDown(lower(pool), usdIn);
    move(pool, -tokens, usdIn);
    return tokens;
  }
  move(pool, -above, toEdge);
  const rest = usdIn - toEdge;
  const tokens = tokensForUsdDown(upper(pool), rest);
  move(pool, -tokens, rest);
  return above + tokens;
};

/** The dollars that tokens cost. */
const giveTokens = (pool: MintagePool, out: bigint): bigint => {
  if (out >= pool.tokens) throw partialFill(out, pool.tokens - 1n);
  const below = least(out, aboveEdge(pool));
  const toEdge = usdForTokensUp(lower(pool), below);
  move(pool, -below, toEdge);
  const usd = usdForTokensUp(upper(pool), out - below);
  move(pool, below - out, usd);
  return toEdge + usd;
};

/** The dollars that tokens bring. */
const takeTokens = (pool: MintagePool, tokensIn: bigint): bigint => {
  requireInSupply(pool, tokensIn);
  const above = least(tokensIn, positive(pool.edgeTokens - pool.tokens));
  const received = usdFromTokensDown(upper(pool), above);
  move(pool, above, -received);
  const usd = usdFromTokensDown(lower(pool), tokensIn - above);
  move(pool, tokensIn - above, -usd);
  return received + usd;
};

/** The tokens that dollars out of the pool cost. */
const giveUsd = (pool: MintagePool, out: bigint): bigint => {
  const held = pool.usd + pool.floorUsd;
  if (out >= held) throw partialFill(out, held - 1n);
  const room = positive(pool.edgeTokens - pool.tokens);
  const toEdge = usdFromTokensDown(upper(pool), room);
  if (room > 0n && out <= toEdge) {
    const tokens = tokensFromUsdUp(upper(pool), out);
    move(pool, tokens, -out);
    return tokens;
  }
  move(pool, room, -toEdge);
  const tokens = tokensFromUsdUp(lower(pool), out - toEdge);
  requireInSupply(pool, tokens);
  move(pool, tokens, toEdge - out);
  return room + tokens;
};

const requireInSupply = ({ tokens, supply }: MintagePool, tokensIn: bigint): void => {
  if (tokensIn > supply - tokens) throw partialFill(tokensIn, supply - tokens);
};

const partialFill = (requested: bigint, filled: bigint): MintageError =>
  new MintageError('PARTIAL_FILL', 'The pool cannot fill the whole order.', {
    details: { requestedRaw: requested.toString(), filledRaw: filled.toString() },
  });
