import { describe, expect, it } from 'vitest';
import type { OwnTrade } from '../../lib/ownTrades.ts';
import { changeBy } from './followTrades.ts';

describe('changeBy', () => {
  const trade = { status: 'sent', hash: '0x1', blockNumber: null, sentAtMs: 0 } as OwnTrade;
  const mined = { ...trade, status: 'mined', blockNumber: 7 } as OwnTrade;
  it('follows the chain there and back', () => {
    const at = { hash: '0x1', blockNumber: 7 };
    expect(changeBy(trade, { status: 'mined', ...at }, 1)).toEqual({ status: 'mined', ...at });
    expect(changeBy(mined, { status: 'mined', ...at }, 1)).toBe(null);
    expect(changeBy(mined, { status: 'final', ...at }, 1)).toEqual({ status: 'final', ...at });
    expect(changeBy(mined, null, 1)).toEqual({ status: 'takenBack', blockNumber: null });
    expect(changeBy(mined, { status: 'sent', hash: '0x1', blockNumber: null }, 1)).toMatchObject({
      status: 'takenBack',
    });
    expect(changeBy({ ...mined, status: 'takenBack' }, { status: 'mined', ...at }, 1)).toMatchObject({
      status: 'mined',
    });
    expect(changeBy(trade, null, 599_999)).toBe(null);
    expect(changeBy(trade, null, 600_001)).toEqual({ status: 'failed' });
  });
});
