import { describe, expect, it } from 'vitest';
import { nextStep } from './nextStep.ts';
import type { Holdings } from './payer.ts';

describe('nextStep', () => {
  const wallet = { type: 'evm', chainId: 84532, address: '0xa' } as never;
  const rich = { usd: 10n ** 9n, token: 0n, coin: 1n, coinSymbol: null, gasPrice: null, hasReferrer: false };
  const holdings = (more: Partial<Holdings>): Holdings => ({
    ...rich,
    allowance: 0n,
    payer: { kind: 'wallet', wallet, address: '0xa' },
    ...more,
  });
  const buy = { terms: { kind: 'buyExactIn', amount: 100n }, limit: 1n } as const;
  it('is the first of all that is missing', () => {
    expect(nextStep(holdings({ payer: { kind: 'nobody' } }), 84532, buy)).toBe('connect');
    expect(nextStep(holdings({ payer: { kind: 'stranger', wallet } }), 84532, buy)).toBe('signIn');
    expect(nextStep(holdings({}), 1, buy)).toBe('switch');
    expect(nextStep(holdings({}), 84532, null)).toBe('amount');
    expect(nextStep(holdings({ usd: 99n }), 84532, buy)).toBe('short');
    expect(nextStep(holdings({}), 84532, buy)).toBe('approve');
    expect(nextStep(holdings({ allowance: 100n }), 84532, buy)).toBe('trade');
    // What is taken is the limit where what is received is exact.
    expect(
      nextStep(holdings({ allowance: 100n }), 84532, { terms: { kind: 'buyExactOut', amount: 1n }, limit: 101n }),
    ).toBe('approve');
    expect(nextStep(holdings({ token: 5n }), 84532, { terms: { kind: 'sellExactOut', amount: 1n }, limit: 6n })).toBe(
      'short',
    );
  });
});
