import { describe, expect, it } from 'vitest';
import { holdingsOf, isHeld } from './positions.ts';

const position = (tokenId: string, chainSlug: string, balance: string, valueUsd: string, unrealisedUsd: string) => ({
  tokenId,
  platformId: null,
  name: 'Kiln',
  symbol: 'KILN',
  slug: 'kiln',
  chainSlug,
  tokenAddress: '0x1',
  balance,
  balanceRaw: '0',
  priceUsd: '1',
  valueUsd,
  costUsd: '100',
  unrealisedUsd,
  realisedUsd: '0.1',
  averageCostUsd: null,
  unpricedTokens: '0',
  boughtUsd: '0',
  boughtTokens: '0',
  soldUsd: '0',
  soldTokens: '0',
  firstAcquired: chainSlug === 'base' ? '2026-01-02T00:00:00.000Z' : '2026-01-01T00:00:00.000Z',
});

describe('holdingsOf', () => {
  it('makes a row of a token on several chains, and tells what was sold out', () => {
    const tokens = [
      position('a', 'base', '1.5', '10.000000000000000001', '-5'),
      position('b', 'base', '0', '0', '0'),
      position('a', 'arbitrum', '2', '3', '1'),
    ];
    const found = holdingsOf({ tokens } as unknown as Parameters<typeof holdingsOf>[0], undefined);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({
      chains: ['base', 'arbitrum'],
      amount: '3.5',
      valueUsd: '13.000000000000000001',
      unrealisedUsd: '-4',
      unrealisedPercent: '-2.00',
      realisedUsd: '0.2',
      firstAcquired: '2026-01-01T00:00:00.000Z',
    });
    expect(found.map(isHeld)).toEqual([true, false]);
  });
});
