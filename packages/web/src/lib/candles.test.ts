import { describe, expect, it } from 'vitest';
import { type Candles, intervalFor, withEarlier, withNewer, withTradeIn } from './candles.ts';

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const candles = (list: Candles['list']): Candles => ({ interval: '1m', list, isWhole: false, rereadFrom: null });
const one = candles([[60, 10, 12, 9, 11, 5]]);

describe('withTradeIn', () => {
  it('default: moves the newest candle', () => {
    expect(withTradeIn(one, { at: at(119), marketCap: '13', usd: '2' }).list).toEqual([[60, 10, 13, 9, 13, 7]]);
  });

  it('behavior: intervals without trades between repeat the close', () => {
    expect(withTradeIn(one, { at: at(181), marketCap: '8', usd: '1' }).list).toEqual([
      [60, 10, 12, 9, 11, 5],
      [120, 11, 11, 11, 11, 0],
      [180, 11, 11, 8, 8, 1],
    ]);
  });

  it('behavior: one of before the newest has its candle read again', () => {
    const late = withTradeIn(one, { at: at(59), marketCap: '8', usd: '1' });
    expect([late.list, late.rereadFrom]).toEqual([one.list, 0]);
  });
});

describe('withNewer, withEarlier', () => {
  it('default: newer ones count, earlier ones are added, none stands twice', () => {
    const newer = withNewer({ ...one, rereadFrom: 60 }, [
      [60, 10, 20, 9, 20, 6],
      [120, 20, 20, 20, 20, 0],
    ]);
    expect(newer).toMatchObject({
      list: [
        [60, 10, 20, 9, 20, 6],
        [120, 20, 20, 20, 20, 0],
      ],
      rereadFrom: null,
    });
    const earlier = withEarlier(
      one,
      [
        [0, 1, 1, 1, 10, 1],
        [60, 0, 0, 0, 0, 0],
      ],
      3,
    );
    expect(earlier).toMatchObject({
      list: [
        [0, 1, 1, 1, 10, 1],
        [60, 10, 12, 9, 11, 5],
      ],
      isWhole: true,
    });
  });
});

describe('intervalFor', () => {
  it('default: the shortest that shows the whole life', () => {
    expect([0, 3 * 3_600, 3 * 3_600 + 1, 86_400, 40 * 86_400].map((seconds) => intervalFor(seconds * 1_000))).toEqual([
      '1m',
      '1m',
      '5m',
      '15m',
      '1d',
    ]);
  });
});
