import { type Base58, poolTypeById, splitFee, toBase58 } from '@mintage/protocol';
import type { ProgramEvent } from '@mintage/protocol/solana';
import { describe, expect, it } from 'vitest';
import { Trade } from './Trade.ts';

const key = (byte: number): Base58 => toBase58(new Uint8Array(32).fill(byte));
const [mint, trader, recipient, builder, referral, referrer, usd] = [1, 2, 3, 4, 5, 6, 7].map(key) as [
  Base58,
  Base58,
  Base58,
  Base58,
  Base58,
  Base58,
  Base58,
];
const nobody = key(0);
const grossUsd = 10_000_000n;

/** A buy of ten dollars, of whose fee everybody gets a part. */
const bought: Extract<ProgramEvent, { event: 'Trade' }> = {
  event: 'Trade',
  seq: 1n,
  mint,
  trader,
  recipient,
  builder,
  referral,
  referrer,
  kind: 0,
  venue: 0,
  feeBps: 100,
  builderBps: 50,
  grossUsd,
  netUsd: 9_850_000n,
  tokens: 5_000_000n,
  tokensLeft: 7_000_000_000n,
  reserveUsd: 9_850_000n,
  floorUsd: 0n,
  treasuryUsd: 0n,
  time: 1_700_000_000n,
};

describe('Trade on Solana', () => {
  const poolType = poolTypeById(7);
  const decode = (changes: Partial<typeof bought> = {}) => {
    if (Trade.solana === undefined || poolType === undefined) throw new Error('no trade, or no pool type');
    return Trade.solana.decode(
      { ...bought, ...changes },
      {
        usd: usd as Base58,
        decimals: { token: 6, usd: 6 },
        poolTypeOf: () => poolType,
        launchOf: () => mint,
        ownerOf: (account) => account,
      },
    );
  };
  const feeOf = (named: { hasReferral: boolean; hasReferrer: boolean }) =>
    splitFee(grossUsd, grossUsd - bought.netUsd, { ...named, feeBps: 100n, builderBps: 50n });

  it('default: everybody is who the program says, and the fee is split as it splits it', () => {
    const { base, excess, builder: builderFee, cashback } = feeOf({ hasReferral: true, hasReferrer: true });
    expect(decode()).toMatchObject({
      token: mint,
      trader,
      recipient,
      builder,
      referral,
      referrer,
      side: 'buy',
      venue: 'curve',
      foreignRouter: false,
      base,
      excess,
      builderFee,
      cashback,
      grossUsd,
      tokens: 5_000_000n,
      feeBps: 100,
      builderBps: 50,
    });
    expect(cashback).toBeGreaterThan(0n);
  });

  it('behavior: nobody stands for who is not named', () => {
    const { cashback } = feeOf({ hasReferral: true, hasReferrer: false });
    expect(decode({ referrer: nobody })).toMatchObject({ referral, referrer: nobody, cashback });
  });

  it('behavior: the last two kinds are sales, and a pool tells what it holds', () => {
    expect([0, 1, 2, 3].map((kind) => decode({ kind }).side)).toEqual(['buy', 'buy', 'sell', 'sell']);
    expect(decode({ venue: 1 })).toMatchObject({
      venue: 'pool',
      stateA: bought.tokensLeft,
      stateB: bought.reserveUsd,
    });
  });
});
