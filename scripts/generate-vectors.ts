/**
 * Writes `vectors/*.json`: cases of the shared integer specification that Solidity and TypeScript both read. Made from
 * fixed seeds, so every run writes the same. `--check` fails when it would change a file.
 *
 * Every amount is a decimal string in base units. `reverts` is the signature of the contract's error, or empty; then all
 * results are zero.
 */

import { type Random, randomFrom } from '@mintage/devnet/random';
import { platformIdOf, tokenIdOf } from '../packages/protocol/src/chains/ids.ts';
import { quoteCurve } from '../packages/protocol/src/maths/curve.ts';
import { buyFeeBps, splitFee, windowSeconds } from '../packages/protocol/src/maths/fees.ts';
import { graduate } from '../packages/protocol/src/maths/graduation.ts';
import { swap } from '../packages/protocol/src/maths/pool/swap.ts';
import { type ErrorCode, MintageError } from '../packages/protocol/src/schemas/errors.ts';
import { type CurveCase, randomCurveCase } from '../packages/protocol/test/curveCases.ts';
import { randomGraduation } from '../packages/protocol/test/graduationCases.ts';
import { randomPoolCase } from '../packages/protocol/test/poolCases.ts';
import { writeGenerated } from './generated.ts';

type Row = Record<string, string | number | bigint | boolean>;

const errorSignatures: Partial<Record<ErrorCode, string>> = {
  AMOUNT_TOO_SMALL: 'ZeroAmount()',
  FEES_EXCEED_AMOUNT: 'FeesExceedAmount(uint256)',
  BEYOND_CURVE: 'BeyondCurve(uint256,uint256)',
  BEYOND_RESERVE: 'BeyondReserve(uint256,uint256)',
};

const curveRow = ({ curve, order }: CurveCase): Row => ({ ...order, ...curve, ...curveResult({ curve, order }) });

const curveResult = ({ curve, order }: CurveCase): Row => {
  try {
    const { grossUsd, netUsd, tokens, after, fees } = quoteCurve(curve, order);
    const { virtualTokens: virtualTokensAfter, virtualUsd: virtualUsdAfter } = after;
    return { reverts: '', grossUsd, netUsd, tokens, virtualTokensAfter, virtualUsdAfter, ...fees };
  } catch (error) {
    const reverts = error instanceof MintageError ? errorSignatures[error.code] : undefined;
    if (reverts === undefined) throw error;
    const none = { grossUsd: 0n, netUsd: 0n, tokens: 0n, virtualTokensAfter: 0n, virtualUsdAfter: 0n };
    return { reverts, ...none, ...noFees };
  }
};

const noTerms = { feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false };
const noFees = splitFee(0n, 0n, noTerms);

const feeRow = (random: Random): Row => {
  const terms = {
    feeBps: buyFeeBps(BigInt(random.int(8))),
    builderBps: random.pick([0n, random.between(1n, 1_999n)]),
    hasReferral: random.chance(2),
    hasReferrer: random.chance(2),
  };
  const grossUsd = random.scaled(10n ** 24n);
  const total = (grossUsd * (terms.feeBps + terms.builderBps) + 9_999n) / 10_000n;
  return { grossUsd, ...terms, ...splitFee(grossUsd, total, terms) };
};

/** The first swap of a random case; amounts are the swapper's, negative is paid. */
const poolRows = (random: Random): Row[] => {
  const { pool, swaps } = randomPoolCase(random);
  const [order] = swaps;
  if (order === undefined) return [];
  const { amountIn, amountOut, unfilled, after } = swap(pool, order);
  if (unfilled === order.amount || amountIn >> 127n || amountOut >> 127n) return [];
  const { fullRange, floor } = pool;
  return [
    {
      sqrtPriceX96: pool.sqrtPriceX96,
      protocolFee: pool.protocolFee,
      fullLower: fullRange.tickLower,
      fullUpper: fullRange.tickUpper,
      fullLiquidity: fullRange.liquidity,
      floorLower: floor.tickLower,
      floorUpper: floor.tickUpper,
      floorLiquidity: floor.liquidity,
      ...order,
      amount0: order.zeroForOne ? -amountIn : amountOut,
      amount1: order.zeroForOne ? amountOut : -amountIn,
      sqrtPriceX96After: after.sqrtPriceX96,
      tickAfter: after.tick,
      liquidityAfter: after.liquidity,
    },
  ];
};

const graduationRow = (random: Random): Row => {
  const input = randomGraduation(random);
  const { pool, usdLocked, tokensLocked, floorUsd, creatorRewardUsd, dustUsd, dustTokens } = graduate(input);
  return {
    poolType: input.poolType.id,
    usdDecimals: input.decimals.usd,
    reserveUsd: input.curve.reserveUsd,
    windowUsd: input.floorUsd,
    usdIs0: input.usdIs0,
    sqrtPriceX96: pool.sqrtPriceX96,
    tick: pool.tick,
    fullLiquidity: pool.fullRange.liquidity,
    floorLower: pool.floor.tickLower,
    floorUpper: pool.floor.tickUpper,
    floorLiquidity: pool.floor.liquidity,
    usdLocked,
    tokensLocked,
    floorUsd,
    creatorRewardUsd,
    dustUsd,
    dustTokens,
  };
};

/** The one of the wire contract, then random ones. */
const identityRows = (random: Random): Row[] => {
  const known = { address: '0x9a0371e2a0cffdf70e72dfb23db8f5e4e123def1' as const, eid: 40_245 };
  const others = Array.from({ length: 9 }, () => ({
    address: `0x${random
      .between(0n, 2n ** 160n - 1n)
      .toString(16)
      .padStart(40, '0')}` as const,
    eid: random.pick([30_101, 30_184, 40_245, 40_333]),
  }));
  return [known, ...others].map(({ address, eid }) => {
    const platformId = platformIdOf(address, eid);
    return { address, eid, platformId, tokenId: tokenIdOf(platformId) };
  });
};

const rows = (count: number, row: () => Row | Row[]): Row[] => Array.from({ length: count }, row).flat();

const text = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one));

const write = (name: string, cases: Row[], more: object = {}): void => {
  const head = Object.entries({ generatedBy: 'scripts/generate-vectors.ts', ...more })
    .map(([key, value]) => `  ${text(key)}: ${text(value)},\n`)
    .join('');
  const body = `{\n${head}  "cases": [\n    ${cases.map(text).join(',\n    ')}\n  ]\n}\n`;
  writeGenerated(new URL(`../vectors/${name}.json`, import.meta.url), body, 'scripts/generate-vectors.ts');
};

const openingSchedule = Array.from({ length: Number(windowSeconds) + 2 }, (_, second) => buyFeeBps(BigInt(second)));

const seeded = {
  curve: randomFrom(1),
  fees: randomFrom(2),
  pool: randomFrom(3),
  graduation: randomFrom(4),
  ids: randomFrom(5),
};
write(
  'curve',
  rows(250, () => curveRow(randomCurveCase(seeded.curve))),
);
write(
  'fees',
  rows(120, () => feeRow(seeded.fees)),
  { buyFeeBps: openingSchedule },
);
write(
  'pool',
  rows(120, () => poolRows(seeded.pool)),
);
write(
  'graduation',
  rows(60, () => graduationRow(seeded.graduation)),
);
write('identity', identityRows(seeded.ids));
