import type { Random } from '@mintage/devnet/random';
import {
  buyFeeBps,
  graduateMintage,
  isBuy,
  type MintagePool,
  mintagePoolOf,
  mostUnits,
  normalBps,
  type PoolType,
  poolTypes,
  type TradeOrder,
  tradeKinds,
} from '@mintage/protocol';

/** What the Solana program stores of a token, base units. */
export interface StoredLaunch {
  poolType: PoolType;
  isGraduated: boolean;
  tokensLeft: bigint;
  reserveUsd: bigint;
  floorUsd: bigint;
}

export interface SolanaCase {
  launch: StoredLaunch;
  order: TradeOrder;
  limit: bigint;
}

const unit = 10n ** 6n;
const u64 = 1n << 64n;

/** A reachable token on Solana and any order on it: tiny, ordinary, at an end, beyond it, and with numbers that do not fit. */
export const randomSolanaCase = (random: Random): SolanaCase => {
  const launch = random.chance(2) ? randomCurve(random) : randomPool(random);
  const kind = random.pick(tradeKinds);
  const inWindow = !launch.isGraduated && isBuy(kind) && random.chance(2);
  const terms = {
    feeBps: inWindow ? buyFeeBps(BigInt(random.int(8))) : normalBps,
    builderBps: randomBuilderBps(random),
    hasReferral: random.chance(2),
    hasReferrer: random.chance(2),
  };
  const order = { kind, amount: randomAmount(random, launch, kind), ...terms };
  return { launch, order, limit: randomLimit(random, order) };
};

const randomBuilderBps = (random: Random): bigint => {
  if (random.chance(2)) return 0n;
  if (random.chance(20)) return random.between(0n, 65_535n);
  return random.chance(20) ? random.between(9_890n, 9_901n) : random.between(1n, 300n);
};

const randomCurve = (random: Random): StoredLaunch => {
  const poolType = random.pick(poolTypes);
  const all = poolType.curveTokens * unit;
  const near = random.scaled(all);
  // A sold out curve takes sells only: a buy opens its pool.
  const sold = random.pick([0n, near, all - near, random.between(0n, all - 1n)]);
  const [tokens, usd] = [poolType.virtualTokens * unit, poolType.virtualUsd * unit];
  const raised = sold === 0n ? 0n : ceilDiv(usd * sold, tokens - sold);
  const dust = random.chance(2) ? 0n : random.scaled(unit);
  const tokensLeft = sold === all ? 1n : all - sold;
  return { poolType, isGraduated: false, tokensLeft, reserveUsd: raised + dust, floorUsd: random.scaled(unit * unit) };
};

/** The state of a pool with so many tokens in it, at least on the products it opened with. */
const poolAt = (opened: MintagePool, tokens: bigint): bigint => {
  const edgeUsd = ceilDiv(opened.tokens * opened.usd, opened.edgeTokens);
  if (tokens <= opened.edgeTokens) return ceilDiv(opened.tokens * opened.usd, tokens);
  const product = (opened.edgeTokens + opened.floorTokens) * (edgeUsd + opened.floorUsd);
  return ceilDiv(product, tokens + opened.floorTokens) - opened.floorUsd;
};

const randomPool = (random: Random): StoredLaunch => {
  const poolType = random.pick(poolTypes);
  const raised = poolType.raiseUsd * unit + random.between(0n, 1_000n);
  const floor = random.chance(4) ? 0n : random.scaled(random.chance(20) ? mostUnits : unit * 10n ** 6n);
  const { pool } = graduateMintage(poolType, { tokensLeft: 0n, reserveUsd: raised }, floor);
  // With fewer tokens left there would be more dollars in it than the program counts.
  const fewest = ceilDiv(pool.tokens * pool.usd, mostUnits);
  const near = random.scaled(pool.edgeTokens - fewest);
  const tokens = random.pick([
    pool.tokens,
    pool.edgeTokens,
    pool.edgeTokens - near,
    pool.edgeTokens + random.scaled(pool.supply - pool.edgeTokens),
    fewest + random.scaled(pool.supply - fewest),
  ]);
  const usd = poolAt(pool, tokens) + (random.chance(2) ? 0n : random.scaled(unit));
  return { poolType, isGraduated: true, tokensLeft: tokens, reserveUsd: usd, floorUsd: pool.floorUsd };
};

const tiny = [0n, 1n, 2n, 7n, 8n, 9n, 99n, 100n, 101n];

const randomAmount = (random: Random, launch: StoredLaunch, kind: TradeOrder['kind']): bigint => {
  if (random.chance(8)) return random.pick(tiny);
  if (random.chance(30)) return u64 - 1n - random.scaled(u64 / 2n);
  const pool = mintagePoolOf(launch.poolType, {
    tokens: launch.tokensLeft,
    usd: launch.reserveUsd,
    floorUsd: launch.floorUsd,
  });
  const toEdge = pool.edgeTokens - pool.tokens;
  const inUsd = kind === 'buyExactIn' || kind === 'sellExactOut';
  const ends = inUsd
    ? [launch.reserveUsd, launch.reserveUsd + launch.floorUsd, launch.poolType.raiseUsd * unit]
    : [launch.tokensLeft, pool.supply - launch.tokensLeft, toEdge > 0n ? toEdge : -toEdge];
  const end = random.pick(ends);
  if (random.chance(6)) return positive(end + random.between(-3n, 3n));
  return random.scaled(end < 2n ? 2n : end);
};

const randomLimit = (random: Random, { kind, amount }: TradeOrder): bigint => {
  const isExactIn = kind === 'buyExactIn' || kind === 'sellExactIn';
  if (random.chance(2)) return isExactIn ? 0n : u64 - 1n;
  return random.chance(3) ? random.between(0n, u64 - 1n) : random.scaled(amount === 0n ? 1n : amount);
};

const positive = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
