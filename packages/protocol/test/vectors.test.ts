import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { platformIdOf, tokenIdOf } from '../src/chains/ids.ts';
import { curveOf, quoteCurve } from '../src/maths/curve.ts';
import { buyFeeBps, splitFee } from '../src/maths/fees.ts';
import { graduate } from '../src/maths/graduation.ts';
import { swap } from '../src/maths/pool/swap.ts';
import { tickOf } from '../src/maths/pool/tickMath.ts';
import { type PoolType, poolTypeById } from '../src/maths/poolTypes.ts';
import type { TradeKind } from '../src/maths/trade.ts';
import { MintageError } from '../src/schemas/errors.ts';
import { onEvm } from './onEvm.ts';

/** The shared cases of `vectors/`, which contracts/test/Vectors.t.sol reads too. */

class Row {
  readonly fields: Record<string, string | number | boolean>;

  constructor(fields: Record<string, string | number | boolean>) {
    this.fields = fields;
  }

  uint(name: string): bigint {
    return BigInt(this.fields[name] as string);
  }

  number(name: string): number {
    return Number(this.fields[name]);
  }

  flag(name: string): boolean {
    return this.fields[name] === true;
  }

  text(name: string): string {
    return String(this.fields[name]);
  }

  /** The row's own values under the names of `result`, to compare with it. */
  like(result: object): object {
    return Object.fromEntries(Object.keys(result).map((name) => [name, this.uint(name)]));
  }

  terms() {
    const [feeBps, builderBps] = [this.uint('feeBps'), this.uint('builderBps')];
    return { feeBps, builderBps, hasReferral: this.flag('hasReferral'), hasReferrer: this.flag('hasReferrer') };
  }
}

const read = (name: string): { buyFeeBps?: string[]; rows: Row[] } => {
  const { cases, ...rest } = JSON.parse(
    readFileSync(new URL(`../../../vectors/${name}.json`, import.meta.url), 'utf8'),
  );
  return { ...rest, rows: cases.map((fields: Row['fields']) => new Row(fields)) };
};

const codes: Record<string, string> = {
  'ZeroAmount()': 'AMOUNT_TOO_SMALL',
  'FeesExceedAmount(uint256)': 'FEES_EXCEED_AMOUNT',
  'BeyondCurve(uint256,uint256)': 'BEYOND_CURVE',
  'BeyondReserve(uint256,uint256)': 'BEYOND_RESERVE',
};

test('vectors/curve.json', () => {
  for (const row of read('curve').rows) {
    const [virtualTokens, virtualUsd] = [row.uint('virtualTokens'), row.uint('virtualUsd')];
    const curve = { virtualTokens, virtualUsd, tokensLeft: row.uint('tokensLeft'), reserveUsd: row.uint('reserveUsd') };
    const order = { kind: row.text('kind') as TradeKind, amount: row.uint('amount'), ...row.terms() };
    let code = '';
    try {
      const { grossUsd, netUsd, tokens, after, fees } = quoteCurve(curve, order);
      const result = { grossUsd, netUsd, tokens, ...fees };
      expect(result).toEqual(row.like(result));
      expect([after.virtualTokens, after.virtualUsd]).toEqual([
        row.uint('virtualTokensAfter'),
        row.uint('virtualUsdAfter'),
      ]);
    } catch (error) {
      if (!(error instanceof MintageError)) throw error;
      code = error.code;
    }
    expect(code).toBe(codes[row.text('reverts')] ?? '');
  }
});

test('vectors/fees.json', () => {
  const { buyFeeBps: schedule, rows } = read('fees');
  expect(schedule?.map((_, second) => buyFeeBps(BigInt(second)).toString())).toEqual(schedule);
  for (const row of rows) {
    const parts = splitFee(row.uint('grossUsd'), row.uint('total'), row.terms());
    expect(parts).toEqual(row.like(parts));
  }
});

test('vectors/pool.json', () => {
  for (const row of read('pool').rows) {
    const rangeOf = (name: string) => ({
      tickLower: row.number(`${name}Lower`),
      tickUpper: row.number(`${name}Upper`),
      liquidity: row.uint(`${name}Liquidity`),
    });
    const [fullRange, floor] = [rangeOf('full'), rangeOf('floor')];
    const [sqrtPriceX96, protocolFee] = [row.uint('sqrtPriceX96'), row.number('protocolFee')];
    const tick = tickOf(sqrtPriceX96);
    const floorInRange = floor.tickLower <= tick && tick < floor.tickUpper;
    const liquidity = fullRange.liquidity + (floorInRange ? floor.liquidity : 0n);
    const zeroForOne = row.flag('zeroForOne');
    const { amountIn, amountOut, after } = swap(
      { sqrtPriceX96, tick, liquidity, protocolFee, fullRange, floor },
      { zeroForOne, exactIn: row.flag('exactIn'), amount: row.uint('amount') },
    );
    expect(zeroForOne ? [-amountIn, amountOut] : [amountOut, -amountIn]).toEqual([
      row.uint('amount0'),
      row.uint('amount1'),
    ]);
    expect([after.sqrtPriceX96, after.tick, after.liquidity]).toEqual([
      row.uint('sqrtPriceX96After'),
      row.number('tickAfter'),
      row.uint('liquidityAfter'),
    ]);
  }
});

test('vectors/graduation.json', () => {
  for (const row of read('graduation').rows) {
    const poolType = poolTypeById(row.number('poolType')) as PoolType;
    const decimals = onEvm(row.number('usdDecimals'));
    const { pool, ...amounts } = graduate({
      poolType,
      decimals,
      curve: curveOf(poolType, decimals, { tokensLeft: 0n, reserveUsd: row.uint('reserveUsd') }),
      floorUsd: row.uint('windowUsd'),
      usdIs0: row.flag('usdIs0'),
    });
    expect(amounts).toEqual(row.like(amounts));
    expect([pool.sqrtPriceX96, pool.tick, pool.fullRange.liquidity]).toEqual([
      row.uint('sqrtPriceX96'),
      row.number('tick'),
      row.uint('fullLiquidity'),
    ]);
    expect([pool.floor.tickLower, pool.floor.tickUpper, pool.floor.liquidity]).toEqual([
      row.number('floorLower'),
      row.number('floorUpper'),
      row.uint('floorLiquidity'),
    ]);
  }
});

test('vectors/identity.json, with the case of the wire contract', () => {
  const { rows } = read('identity');
  for (const row of rows) {
    const platformId = platformIdOf(row.text('address') as `0x${string}`, row.number('eid'));
    expect(platformId).toBe(row.text('platformId'));
    expect(tokenIdOf(platformId)).toBe(row.text('tokenId'));
  }
  expect(rows[0]?.text('platformId')).toBe('0x5020d3c28d8ae08cb29eb5eb9b6e78add32fb5ace20211a4dfa49378f54afd96');
});
