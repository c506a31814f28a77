import { poolTypeBySlug } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { testChain } from '../../../test/api/testing/testApi.ts';
import type { Market } from '../../chain/market.ts';
import { newMarket } from './markets.ts';
import { deadlineOf, slippageBpsOf } from './terms.ts';

const served = testChain('base', 'http://127.0.0.1:1');
const { deployment } = served;
const aged = (seconds: number): Market => {
  const poolType = poolTypeBySlug('meme');
  const token = {
    tokenId: '',
    address: deployment.usd,
    name: '',
    symbol: '',
    creator: deployment.usd,
    poolType,
    createdAt: 1_000,
  };
  return { ...newMarket(poolType, served, token), block: { number: 1, hash: null, time: 1_000 + seconds } };
};

describe('slippageBpsOf', () => {
  it('default: 300 basis points in the first 10 minutes, then 100', () => {
    expect([0, 599, 600].map((age) => slippageBpsOf(undefined, aged(age)))).toEqual([300, 300, 100]);
    expect(slippageBpsOf(undefined, newMarket(poolTypeBySlug('meme'), served))).toBe(300);
  });

  it('behavior: the caller’s own up to 5000', () => {
    expect([0, 5_000].map((asked) => slippageBpsOf(asked, aged(0)))).toEqual([0, 5_000]);
  });

  it('error: above 5000', () => {
    expect(() => slippageBpsOf(5_001, aged(0))).toThrow(expect.objectContaining({ code: 'SLIPPAGE_TOO_HIGH' }));
  });
});

describe('deadlineOf', () => {
  const nowMs = 1_700_000_000_999;
  const clock = { slug: 'base' as const, blockTime: 1_699_999_990, nowMs };

  it('C21 default: 120 s, on Ethereum 300 s, from the later of chain and server', () => {
    expect(deadlineOf(undefined, clock)).toBe(1_700_000_120);
    expect(deadlineOf(undefined, { ...clock, slug: 'ethereum' })).toBe(1_700_000_300);
    expect(deadlineOf(undefined, { ...clock, blockTime: 1_700_005_000 })).toBe(1_700_005_120);
    expect(deadlineOf(undefined, { ...clock, blockTime: null })).toBe(1_700_000_120);
  });

  it('behavior: the caller’s own within 24 hours', () => {
    expect(deadlineOf(1_700_000_001, clock)).toBe(1_700_000_001);
    expect(deadlineOf(1_700_086_400, clock)).toBe(1_700_086_400);
  });

  it('error: over, or more than 24 hours ahead', () => {
    for (const asked of [1_700_000_000, 1_700_086_401])
      expect(() => deadlineOf(asked, clock)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS' }));
  });
});
