import type { StreamActivity } from '@mintage/sdk';
import { describe, expect, it } from 'vitest';
import { type Trade, type TradeList, takenBack, tradeOfActivity, withNewest, withOlder, withTrade } from './trades.ts';

const trade = (block: number, more: Partial<Trade> = {}): Trade => ({
  key: `base 0x${block} 0`,
  chain: 'base',
  hash: `0x${block}`,
  block,
  index: 0,
  at: '2030-01-01T00:00:00.000Z',
  side: 'buy',
  wallet: '0x1',
  isForeign: false,
  tokens: '1',
  usd: '1',
  price: '1',
  marketCap: '1',
  isTakenBack: false,
  ...more,
});
const list = (blocks: readonly number[], isWhole = false): TradeList => ({
  rows: blocks.map((block) => trade(block)),
  isWhole,
});
const shown = ({ rows }: TradeList): string[] =>
  rows.map(({ block, isTakenBack }) => `${block}${isTakenBack ? ' gone' : ''}`);

describe('withTrade', () => {
  it('default: puts it where it belongs, once', () => {
    expect(shown(withTrade(list([5, 3]), trade(4)))).toEqual(['5', '4', '3']);
    expect(shown(withTrade(list([5, 3]), trade(5)))).toEqual(['5', '3']);
  });

  it('behavior: one that was taken back and happened again counts', () => {
    const gone = takenBack(list([5, 3]), trade(5).key);
    expect(shown(gone)).toEqual(['5 gone', '3']);
    expect(shown(withTrade(gone, trade(5)))).toEqual(['5', '3']);
  });
});

describe('withNewest', () => {
  const page = (blocks: readonly number[]) => blocks.map((block) => trade(block));

  it('default: a first page, and whether there is more', () => {
    expect(withNewest(undefined, undefined, page([3, 2]), 2)).toEqual({ rows: page([3, 2]), isWhole: false });
    expect(withNewest(undefined, undefined, page([3]), 2).isWhole).toBe(true);
  });

  it('behavior: older rows stay, and what is missing in its range was taken back', () => {
    const before = list([5, 4, 3, 2, 1]);
    expect(shown(withNewest(before, before, page([6, 5, 3]), 3))).toEqual(['6', '5', '4 gone', '3', '2', '1']);
  });

  it('behavior: what a stream told while it was read is newer than it', () => {
    const before = list([5, 4]);
    expect(shown(withNewest(before, withTrade(before, trade(6)), page([5, 4]), 2))).toEqual(['6', '5', '4']);
    expect(shown(withNewest(withTrade(before, trade(6)), withTrade(before, trade(6)), page([5, 4]), 2))).toEqual([
      '6 gone',
      '5',
      '4',
    ]);
  });

  it('behavior: where trades between are not known, nothing older is shown', () => {
    expect(shown(withNewest(list([3, 2]), list([3, 2]), page([9, 8]), 2))).toEqual(['9', '8']);
  });

  it('behavior: a chain that took everything back leaves the rows, struck through', () => {
    expect(shown(withNewest(list([3, 2], true), list([3, 2], true), [], 20))).toEqual(['3 gone', '2 gone']);
  });
});

describe('withOlder', () => {
  it('default: adds what is not there, and knows the end', () => {
    expect(withOlder(list([5, 4]), [trade(4), trade(3)], 3)).toMatchObject({ isWhole: true });
    expect(shown(withOlder(list([5, 4]), [trade(4), trade(3)], 3))).toEqual(['5', '4', '3']);
  });
});

describe('tradeOfActivity', () => {
  it('default: null for what is no trade', () => {
    expect(tradeOfActivity({ activity_subtype: 'local' } as StreamActivity)).toBeNull();
    expect(tradeOfActivity({ activity_subtype: 'buy', token_amount: null } as StreamActivity)).toBeNull();
  });
});
