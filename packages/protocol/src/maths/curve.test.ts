import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../../test/codeOf.ts';
import { onEvm } from '../../test/onEvm.ts';
import { MintageError } from '../schemas/errors.ts';
import { type CurveState, curveOf, curvePrice, progressPct18Down, quoteCurve, stageAt } from './curve.ts';
import { formatUnits } from './decimal.ts';
import { moneyRaisedDown } from './moneyRaised.ts';
import { poolTypeById, poolTypeBySlug, poolTypes, totalSupply } from './poolTypes.ts';
import { formatFdvUsd, formatPriceUsd, priceUsd18Down, valueUsd18Down } from './price.ts';
import {
  limitOf,
  limitsOf,
  meetsLimit,
  priceImpactBpsUp,
  type TradeKind,
  type TradeOrder,
  venueUsdOf,
} from './trade.ts';

const usd = 10n ** 6n;
const token = 10n ** 18n;
const meme = poolTypeBySlug('meme');
const normal = { feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false };
const order = (kind: TradeKind, amount: bigint, extra: Partial<TradeOrder> = {}): TradeOrder => ({
  ...normal,
  kind,
  amount,
  ...extra,
});
/** Any state that trades can reach: some tokens sold for at least what they cost. */
const scenario = fc
  .record({
    poolType: fc.constantFrom(...poolTypes),
    usdDecimals: fc.constantFrom(6, 8, 18),
    soldPermille: fc.bigInt(0n, 1_000n),
    extraTokens: fc.bigInt(0n, 10n ** 6n),
    extraUsd: fc.bigInt(0n, 1_000n),
  })
  .map(({ poolType, usdDecimals, soldPermille, extraTokens, extraUsd }) => {
    const curve = curveOf(poolType, onEvm(usdDecimals));
    const tokens = (curve.tokensLeft * soldPermille) / 1_000n - (soldPermille > 0n ? extraTokens : 0n);
    if (tokens <= 0n) return { poolType, usdDecimals, curve };
    const { after } = quoteCurve(curve, order('buyExactOut', tokens));
    const reserveUsd = after.reserveUsd + extraUsd;
    return { poolType, usdDecimals, curve: curveOf(poolType, onEvm(usdDecimals), { ...after, reserveUsd }) };
  });
const tinyOrLarge = (large: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(fc.constantFrom(1n, 2n, 7n, 8n, 9n), fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, large));

const product = ({ virtualTokens, virtualUsd }: CurveState): bigint => virtualTokens * virtualUsd;

describe('poolTypes', () => {
  test.each(poolTypes)('$slug sums to the supply, raises its target and opens the pool at its last price', (type) => {
    const { curveTokens, poolTokens, virtualTokens, virtualUsd, raiseUsd, creatorRewardUsd } = type;
    expect(curveTokens + poolTokens).toBe(totalSupply);
    const { after } = quoteCurve(curveOf(type, onEvm(18)), order('buyExactOut', curveTokens * token));
    expect(after.reserveUsd).toBe(raiseUsd * 10n ** 18n);
    expect((virtualUsd + raiseUsd) * poolTokens).toBe((raiseUsd - creatorRewardUsd) * (virtualTokens - curveTokens));
    expect(poolTypeById(type.id)).toBe(type);
  });

  test('start and graduation FDV are those of the design', () => {
    const fdvs = poolTypes.map((type) => {
      const start = curveOf(type, onEvm(6));
      const { after } = quoteCurve(start, order('buyExactOut', start.tokensLeft));
      return [formatFdvUsd(curvePrice(start), onEvm(6)), formatFdvUsd(curvePrice(after), onEvm(6))];
    });
    expect(fdvs).toEqual([
      ['11111.111111111111111111', '100000'],
      ['14062.5', '100000'],
      ['111.111111111111111111', '1000'],
    ]);
  });
});

describe('quoteCurve', () => {
  test('default: 100 USD into a fresh curve', () => {
    const quote = quoteCurve(curveOf(meme, onEvm(6)), order('buyExactIn', 100n * usd));
    expect(quote).toMatchObject({ grossUsd: 100n * usd, netUsd: 99n * usd, amountIn: 100n * usd, completes: false });
    expect(quote.tokens).toBe((1_125_000_000n * token * 99n) / 12_599n);
  });

  test('product.md 3 row 3: 1,000 USD buy 17.7 M tokens at second 0 and 82.6 M after the window', () => {
    const curve = curveOf(meme, onEvm(6));
    const at = (feeBps: bigint): bigint =>
      quoteCurve(curve, order('buyExactIn', 1_000n * usd, { feeBps })).tokens / token / 100_000n;
    expect([at(8_000n), at(100n)]).toEqual([177n, 825n]);
  });

  test('C6 behavior: a buy beyond the end takes the rest and only the gross that this needs', () => {
    const curve = curveOf(meme, onEvm(6));
    const big = order('buyExactIn', 1_000_000n * usd);
    const quote = quoteCurve(curve, big);
    expect(quote).toMatchObject({ tokens: curve.tokensLeft, netUsd: 25_000n * usd, completes: true });
    expect(quote.grossUsd).toBe(25_252_525_253n);
    expect(quote.after.tokensLeft).toBe(0n);
    const exact = quoteCurve(curve, order('buyExactIn', quote.grossUsd));
    expect(exact).toEqual({ ...quote, outOfWholeAmount: quote.tokens });
  });

  test('error: codes', () => {
    const curve = curveOf(meme, onEvm(6));
    const done = quoteCurve(curve, order('buyExactOut', curve.tokensLeft)).after;
    expect(codeOf(() => quoteCurve(curve, order('buyExactIn', 0n)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteCurve(curve, order('buyExactIn', 1n)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteCurve(done, order('sellExactIn', 1n)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteCurve(done, order('buyExactIn', 10n * usd)))).toBe('AMOUNT_TOO_SMALL');
    expect(codeOf(() => quoteCurve(curve, order('buyExactOut', curve.tokensLeft + 1n)))).toBe('BEYOND_CURVE');
    expect(codeOf(() => quoteCurve(done, order('sellExactOut', 25_000n * usd)))).toBe('BEYOND_RESERVE');
    expect(codeOf(() => quoteCurve(curve, order('buyExactIn', usd, { builderBps: 9_900n })))).toBe(
      'FEES_EXCEED_AMOUNT',
    );
  });

  test('C7 behavior: A·B never falls and USD and tokens are conserved, for any order that fills', () => {
    fc.assert(
      fc.property(
        scenario,
        fc.constantFrom<TradeKind>('buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut'),
        fc.constantFrom(8_000n, 1_417n, 100n),
        fc.bigInt(0n, 1_500n),
        tinyOrLarge(10n ** 27n),
        ({ curve, usdDecimals }, kind, feeBps, builderBps, size) => {
          const inUsd = kind === 'buyExactIn' || kind === 'sellExactOut';
          const amount = inUsd ? size / 10n ** BigInt(21 - usdDecimals) + 1n : size;
          let quote: ReturnType<typeof quoteCurve>;
          try {
            quote = quoteCurve(
              curve,
              order(kind, amount, { feeBps: kind.startsWith('buy') ? feeBps : 100n, builderBps }),
            );
          } catch (error) {
            expect(error).toBeInstanceOf(MintageError);
            return;
          }
          expect(product(quote.after) >= product(curve)).toBe(true);
          expect(quote.grossUsd - quote.netUsd).toBe(quote.fees.total);
          const sign = kind.startsWith('buy') ? 1n : -1n;
          expect(quote.after.reserveUsd - curve.reserveUsd).toBe(sign * venueUsdOf(quote));
          expect(curve.tokensLeft - quote.after.tokensLeft).toBe(sign * quote.tokens);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('C7 behavior: buying and selling back never profits, even without counting the fee', () => {
    fc.assert(
      fc.property(scenario, tinyOrLarge(10n ** 25n), ({ curve, usdDecimals }, size) => {
        const amount = size / 10n ** BigInt(21 - usdDecimals) + 2n;
        if (curve.tokensLeft === 0n) return;
        const buy = quoteCurve(curve, order('buyExactIn', amount));
        if (codeOf(() => quoteCurve(buy.after, order('sellExactIn', buy.tokens))) !== 'none') return;
        const sell = quoteCurve(buy.after, order('sellExactIn', buy.tokens));
        expect(sell.grossUsd <= buy.netUsd).toBe(true);
        expect(sell.netUsd < buy.grossUsd).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test('C7 behavior: an order split in two never gets more', () => {
    fc.assert(
      fc.property(scenario, tinyOrLarge(10n ** 25n), tinyOrLarge(10n ** 25n), ({ curve, usdDecimals }, one, two) => {
        const scale = 10n ** BigInt(21 - usdDecimals);
        const [first, second] = [one / scale + 2n, two / scale + 2n];
        const whole = codeOf(() => quoteCurve(curve, order('buyExactIn', first + second)));
        if (whole !== 'none' || codeOf(() => quoteCurve(curve, order('buyExactIn', first))) !== 'none') return;
        const once = quoteCurve(curve, order('buyExactIn', first + second));
        const part = quoteCurve(curve, order('buyExactIn', first));
        if (codeOf(() => quoteCurve(part.after, order('buyExactIn', second))) !== 'none') return;
        const rest = quoteCurve(part.after, order('buyExactIn', second));
        expect(part.tokens + rest.tokens <= once.tokens).toBe(true);
        if (once.completes && rest.completes) expect(part.grossUsd + rest.grossUsd >= once.grossUsd).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test('C7 behavior: exact-out costs at least what exact-in needs, and gives what was asked', () => {
    fc.assert(
      fc.property(scenario, tinyOrLarge(10n ** 26n), ({ curve }, tokens) => {
        if (tokens > curve.tokensLeft) return;
        const out = quoteCurve(curve, order('buyExactOut', tokens));
        const back = quoteCurve(curve, order('buyExactIn', out.grossUsd));
        expect(back.tokens >= tokens).toBe(true);
        expect(out.tokens).toBe(tokens);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('limitOf', () => {
  const kinds: [TradeKind, bigint][] = [
    ['buyExactIn', 100n * usd],
    ['buyExactIn', 90_000n * usd],
    ['buyExactOut', 5_000n * token],
    ['sellExactIn', 5_000n * token],
    ['sellExactOut', 3n * usd],
  ];
  const curve = quoteCurve(curveOf(meme, onEvm(6)), order('buyExactIn', 9_000n * usd)).after;

  test('behavior: a quote meets its own limit at any slippage, and one unit worse than no slippage does not', () => {
    for (const [kind, amount] of kinds) {
      const asked = order(kind, amount);
      const quote = quoteCurve(curve, asked);
      for (const slippageBps of [0n, 1n, 100n, 5_000n])
        expect(meetsLimit(quote, asked, limitOf(quote, slippageBps)), `${kind} ${slippageBps}`).toBe(true);
      const tight = limitOf(quote, 0n);
      // Where only a part of the amount is spent, the rounding of what the rest costs is left out: here 2 of 5 · 10^10.
      const worse = quote.outOfWholeAmount === quote.amountOut ? 1n : tight / 10n ** 10n;
      expect(meetsLimit(quote, asked, kind.endsWith('In') ? tight + worse : tight - worse), kind).toBe(false);
    }
  });

  test('C6 behavior: at the end of the curve the limit protects the price, not the size', () => {
    const curve = curveOf(meme, onEvm(6));
    const asked = order('buyExactIn', 50_505_050_506n);
    const quote = quoteCurve(curve, asked);
    const limit = limitOf(quote, 0n);
    expect(limit > quote.tokens).toBe(true);
    expect(meetsLimit(quote, asked, limit)).toBe(true);
    const dearer = { ...quote, netUsd: quote.netUsd + 3n };
    expect(meetsLimit(dearer, asked, limit)).toBe(false);
  });

  test('invariant: the trader’s own limit is met to the unit, also by the last buy, and counts only where it is stricter', () => {
    for (const [kind, amount] of kinds) {
      const asked = order(kind, amount);
      const quote = quoteCurve(curve, asked);
      const isLeast = kind.endsWith('In');
      const got = isLeast ? quote.amountOut : quote.amountIn;
      const exact = limitsOf(quote, 100n, got);
      expect(exact.ofTrade).toBe(got);
      expect(meetsLimit(quote, asked, exact.ofOrder), kind).toBe(true);
      // Where only a part of the amount is spent, the contract's own rounding is left out.
      const more = quote.outOfWholeAmount === quote.amountOut ? 1n : got / 10n ** 10n;
      const missed = limitsOf(quote, 100n, isLeast ? got + more : got - more);
      expect(meetsLimit(quote, asked, missed.ofOrder), kind).toBe(false);
      const bySlippage = limitsOf(quote, 100n, null);
      expect(bySlippage.ofOrder).toBe(limitOf(quote, 100n));
      expect(limitsOf(quote, 100n, bySlippage.ofTrade + (isLeast ? -1n : 1n))).toEqual(bySlippage);
    }
  });

  test('H20 attack: a sell of any size in front of the last buy leaves it within a limit of one basis point', () => {
    const usdDecimals = fc.constantFrom(6, 18);
    const builderBps = fc.constantFrom(0n, 1n, 100n, 2_345n, 9_000n);
    fc.assert(
      fc.property(
        usdDecimals,
        builderBps,
        tinyOrLarge(10n ** 21n),
        tinyOrLarge(10n ** 21n),
        (decimals, builder, left, sold) => {
          const start = curveOf(meme, onEvm(decimals));
          const nearEnd = quoteCurve(start, order('buyExactOut', start.tokensLeft - left - 1n)).after;
          const asked = { ...order('buyExactIn', 100n * 10n ** BigInt(decimals)), builderBps: builder };
          const limit = limitOf(quoteCurve(nearEnd, asked), 1n);
          if (codeOf(() => quoteCurve(nearEnd, order('sellExactIn', sold))) !== 'none') return;
          const inFront = quoteCurve(nearEnd, order('sellExactIn', sold)).after;
          expect(meetsLimit(quoteCurve(inFront, asked), asked, limit)).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('H20 attack: the limit of a whole amount does not fall with a rest of a few base units', () => {
    const start = curveOf(meme, onEvm(6));
    const asked = order('buyExactIn', 100n * usd);
    const atEnd = (left: bigint): bigint =>
      limitOf(quoteCurve(quoteCurve(start, order('buyExactOut', start.tokensLeft - left)).after, asked), 100n);
    for (const left of [1n, 10n ** 6n, 10n ** 15n])
      expect(atEnd(left) * 1_000n > atEnd(token) * 999n, `${left}`).toBe(true);
  });
});

describe('prices', () => {
  test('formatPriceUsd is B/A in USD per token', () =>
    expect(
      [6, 18].map((decimals) => formatPriceUsd(curvePrice(curveOf(meme, onEvm(decimals))), onEvm(decimals))),
    ).toEqual(['0.000011111111111111', '0.000011111111111111']));

  test('of tokens with 6 decimals the same buy has the same price, worth and progress', () => {
    const [fine, coarse] = [onEvm(6), { token: 6, usd: 6 }].map((decimals) => {
      const tokens = 100_000_000n * 10n ** BigInt(decimals.token);
      const { after, grossUsd } = quoteCurve(curveOf(meme, decimals), order('buyExactOut', tokens));
      const price = curvePrice(after);
      return {
        paid: formatUnits(grossUsd, decimals.usd),
        price: formatPriceUsd(price, decimals),
        price18: priceUsd18Down(price, decimals),
        fdv: formatFdvUsd(price, decimals),
        worth18: valueUsd18Down(tokens, 12_345n * 10n ** 9n, decimals.token),
        progress: progressPct18Down(meme, decimals, after.virtualTokens),
        raised: moneyRaisedDown(meme, decimals, tokens),
      };
    });
    expect(coarse).toEqual(fine);
    expect(coarse).toMatchObject({ paid: '1231.830502', worth18: 1_234_500_000_000_000_000_000n });
  });

  test('priceImpactBpsUp: half of the virtual USD costs a third of the tokens', () => {
    const curve = curveOf(meme, onEvm(18));
    const buy = quoteCurve(curve, order('buyExactIn', (6_250n * 10n ** 18n * 100n) / 99n + 1n));
    expect(priceImpactBpsUp(curvePrice(curve), buy)).toBe(3_334n);
    const sell = quoteCurve(buy.after, order('sellExactIn', buy.tokens));
    expect(priceImpactBpsUp(curvePrice(buy.after), sell)).toBe(3_334n);
    const tiny = quoteCurve(curve, order('buyExactIn', 10n ** 15n));
    expect(priceImpactBpsUp(curvePrice(curve), tiny)).toBe(1n);
  });

  test('progressPct18Down is 0 at the start, 100 when sold out; from 75 on a token is graduating', () => {
    const start = curveOf(meme, onEvm(6));
    const progressWith = (tokensLeft: bigint): bigint =>
      progressPct18Down(meme, onEvm(6), start.virtualTokens - start.tokensLeft + tokensLeft);
    const quarter = 187_500_000n * token;
    const progress = [start.tokensLeft, quarter + 1n, quarter, 1n, 0n].map(progressWith);
    expect(progress.map((pct18) => formatUnits(pct18, 18))).toEqual([
      '0',
      '74.999999999999999999',
      '75',
      '99.999999999999999999',
      '100',
    ]);
    expect(progress.map((pct18) => stageAt(pct18, false))).toEqual([
      'new',
      'new',
      'graduating',
      'graduating',
      'graduating',
    ]);
    expect(stageAt(0n, true)).toBe('graduated');
  });
});
