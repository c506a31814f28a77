import { type Address, chainBySlug, type TradeKind } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import type { Outflow, Spending } from '../signingLog/signingLog.ts';
import type { Action, Approval, StepReader } from './actions.ts';
import { aboveDay, dayCapsOf, outflowOf } from './dayCaps.ts';
import { defaultPolicy } from './policyConfig.ts';

const addressOf = (byte: string): Address => `0x${byte.repeat(20)}`;
const [wallet, other, usd, launchpad, token] = ['11', '22', '33', '44', '55'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const dollar = 10n ** 18n;

/** One step that does this. */
const outflow = (action: Action | null, approval?: Approval, coins = 0n): Outflow => {
  const reader: StepReader = {
    actions: () => (action === null ? [] : [action]),
    approvals: () => (approval === undefined ? [] : [approval]),
    coinsSent: ({ value }) => value,
    tokenAddress: () => token,
  };
  return outflowOf([{ to: other, value: coins, data: '0x' }], {
    deployment: { launchpad, usd, usdDecimals: 6 },
    tokenDecimals: 18,
    reader,
    wallet,
    priceUsd18: (one) => (one === token ? dollar / 2n : null),
  });
};

describe('outflowOf', () => {
  const order = (kind: TradeKind, recipient: Address, amount: bigint, limit: bigint, builderBps = 0n): Action => ({
    does: 'order',
    kind,
    token,
    amount,
    limit,
    recipient,
    builderBps,
  });
  const transfer = (of: Address, to: Address, amount: bigint): Action => ({ does: 'transfer', token: of, to, amount });

  it.each<[string, Action, bigint]>([
    ['dollars to others', transfer(usd, other, 5_000_000n), 5n * dollar],
    ['dollars to itself', transfer(usd, wallet, 5_000_000n), 0n],
    ['tokens to others, rounded up', transfer(token, other, 3n), 2n],
    ['tokens without a price', transfer(other, other, 10n ** 30n), 0n],
    ['a buy for itself', order('buyExactIn', wallet, 7_000_000n, 1n), 7n * dollar],
    ['a buy of an exact amount', order('buyExactOut', wallet, 1n, 8_000_000n), 8n * dollar],
    ['a sale for itself', order('sellExactIn', wallet, dollar, 1n), 0n],
    [
      'a sale for itself of which a builder gets nearly all',
      order('sellExactIn', wallet, 4n * dollar, 0n, 9_800n),
      (2n * dollar * 98n) / 100n,
    ],
    ['a sale for others, by the tokens', order('sellExactIn', other, 4n * dollar, 1n), 2n * dollar],
    ['a sale for others, by the dollars', order('sellExactIn', other, 1n, 9_000_000n), 9n * dollar],
    ['to another chain', { does: 'cross', token, to: other, amount: 2n * dollar, refundTo: wallet }, dollar],
    ['earnings to others', { does: 'withdraw', currency: usd, to: other, amount: 1_000_000n }, dollar],
    ['earnings to itself', { does: 'withdraw', currency: usd, to: wallet, amount: 'everything' }, 0n],
    ['a creation', { does: 'create', salt: '0x', poolType: 1 }, 0n],
  ])('K1 %s', (_, action, usd18) => {
    expect(outflow(action)).toEqual({ usd18, coins: 0n });
  });

  it('K1 coins, and what others are allowed to take', () => {
    expect(outflow(null, undefined, 3n)).toEqual({ usd18: 0n, coins: 3n });
    const approval = (spender: Address) => ({ token: usd, spender, amount: 1_000_000n, isPlain: true });
    expect(outflow(null, approval(other))).toEqual({ usd18: dollar, coins: 0n });
    expect(outflow(null, approval(launchpad))).toEqual({ usd18: 0n, coins: 0n });
  });
});

describe('dayCapsOf', () => {
  const [base, test] = [chainBySlug('base'), chainBySlug('base-sepolia')];

  it('default: 10,000 dollars and ten days of gas; none on test networks', () => {
    expect(dayCapsOf(base, defaultPolicy, 2n)).toEqual({ usd18: 10_000n * dollar, coins: 20n });
    expect(dayCapsOf(test, defaultPolicy, 2n)).toEqual({ usd18: null, coins: null });
  });

  it('behavior: as configured, also on test networks; 0 is none', () => {
    const coins = new Map([['base-sepolia', '0.5']]);
    const policy = { maxUsdPerDay: 3, maxCoinsPerDay: coins };
    expect(dayCapsOf(test, policy, 2n)).toEqual({ usd18: 3n * dollar, coins: dollar / 2n });
    const none = { maxUsdPerDay: 0, maxCoinsPerDay: new Map([['base', '0']]) };
    expect(dayCapsOf(base, none, 2n)).toEqual({ usd18: null, coins: null });
  });
});

describe('aboveDay', () => {
  const of = { eid: eids.base, nativeDecimals: 18, wallet };
  const caps = { usd18: 10n * dollar, coins: 5n };
  const entry = (change: Partial<Spending>): Spending => ({
    eid: eids.base,
    wallet,
    credential: null,
    usd18: 0n,
    outflow: { usd18: 6n * dollar, coins: 4n },
    isReleased: false,
    ...change,
  });
  const above = (usd18: bigint, coins: bigint, spent = [entry({})]) => aboveDay({ usd18, coins }, caps, spent, of);

  it('default: up to the cap, and what takes nothing out', () => {
    expect(above(4n * dollar, 1n)).toBeNull();
    expect(above(0n, 0n, [entry({}), entry({})])).toBeNull();
  });

  it('behavior: other wallets do not count, nor released intents, nor coins of other chains', () => {
    const spent = [entry({}), entry({ wallet: other }), entry({ isReleased: true })];
    expect(above(4n * dollar, 1n, spent)).toBeNull();
    expect(above(0n, 1n, [entry({}), entry({ eid: eids.ethereum })])).toBeNull();
  });

  it('error: above it, with what is left and who sets it', () => {
    expect(above(5n * dollar, 0n)).toEqual({
      code: 'BUDGET_EXCEEDED',
      message:
        'This takes 5 dollars out of the embedded wallet, and 4 of the 10 of a day (UTC) are left. ' +
        'The operator of this service sets that limit (MAX_USD_PER_DAY).',
    });
    expect(above(0n, 2n)?.message).toContain('MAX_COINS_PER_DAY');
    expect(above(10n ** 60n, 0n)?.message).toContain('must name its amount');
  });
});
