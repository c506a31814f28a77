import type { Eid } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, callerWith, hex, startReads } from '../../../test/api/reads/readsFixture.ts';
import { eids } from '../../../test/eids.ts';

const first = hex(0xa1);
const second = hex(0xa2);
const stranger = hex(0xbad);
const caller = callerWith(first, second);
const usd6 = hex(0x6);
const usd18 = hex(0x18);

const referred = (trader: `0x${string}`, referrer: `0x${string}`, eid = eids.baseSepolia) => ({
  eid,
  trader,
  referrer,
  block_number: 1,
  time: new Date(),
});

const traded = (eid: Eid, wallet: `0x${string}`) => ({
  eid,
  wallet,
  volume_usd: 1n,
  trades: 1,
  first_trade_at: new Date(),
  last_trade_at: new Date(),
});

const balanceRow = (account: string, balance: string, total_received: string, chain: object, day: number) => ({
  account,
  token_key: 'USDC',
  acme_pad_id: null,
  platform_id: null,
  token_name: 'USDC',
  token_symbol: 'USDC',
  balance,
  total_received,
  last_updated_at: `2026-01-0${day}T00:00:00.000Z`,
  per_chain_balances: chain,
});

const claim = (chain: string, currency_address: string, decimals: number, amount: string, whole: string) => ({
  chain,
  currency_address,
  symbol: 'USDC',
  claimable_amount: amount,
  claimable_amount_with_decimals: whole,
  claimable_usd: whole,
  decimals,
});

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  const balance = (eid: Eid, recipient: `0x${string}`, currency: `0x${string}`, earned: bigint, claimable: bigint) => ({
    eid,
    recipient,
    currency,
    earned,
    claimable,
    last_distribution_at: new Date(`2026-01-0${recipient === first ? 1 : 2}T00:00:00.000Z`),
  });
  await reads.db
    .insertInto('fee_balance')
    .values([
      balance(eids.baseSepolia, first, usd6, 1_500_000n, 500_000n),
      balance(eids.baseSepolia, second, usd6, 1n, 1n),
      balance(eids.bnb, second, usd18, 10n ** 18n + 1n, 1n),
      balance(eids.baseSepolia, stranger, usd6, 999_000_000n, 999_000_000n),
      balance(eids.ethereum, first, usd6, 7n, 7n),
    ])
    .execute();
  const sum = (eid: Eid, recipient: `0x${string}`, distribution_type: number, credits: number, earned: bigint) => ({
    eid,
    recipient,
    distribution_type,
    credits,
    earned,
  });
  await reads.db
    .insertInto('fee_sum')
    .values([
      sum(eids.baseSepolia, first, 0, 2, 1_400_000n),
      sum(eids.baseSepolia, second, 0, 1, 1n),
      sum(eids.bnb, second, 3, 7, 10n ** 18n + 1n),
      sum(eids.baseSepolia, first, 4, 3, 100_000n),
      sum(eids.baseSepolia, first, 1, 0, 0n),
      sum(eids.baseSepolia, stranger, 2, 1, 999_000_000n),
      sum(eids.ethereum, first, 2, 1, 7n),
    ])
    .execute();
  await reads.db
    .insertInto('referrer')
    .values([
      referred(hex(1), first),
      referred(hex(1), second, eids.bnb),
      referred(hex(2), first),
      referred(hex(3), stranger),
    ])
    .execute();
  await reads.db
    .insertInto('trader')
    .values([
      traded(eids.baseSepolia, hex(1)),
      traded(eids.bnb, hex(1)),
      traded(eids.bnb, hex(2)),
      traded(eids.baseSepolia, hex(3)),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const fees = (body: unknown, who = caller) => ask(reads.context, 'getUserFees', body, who);

describe('getUserFees', () => {
  test('behavior: as an info read, a row per wallet and currency with its chains', async () => {
    expect(await ask(reads.context, 'info', { type: 'getUserFees' }, caller)).toEqual({
      type: 'getUserFees',
      success: true,
      data: {
        balances: [
          balanceRow(
            second,
            '0.000001000000000001',
            '1.000001000000000001',
            {
              bnb: {
                currency: usd18,
                token_decimals: 18,
                balance: '0.000000000000000001',
                balance_raw: '1',
                total_received: '1.000000000000000001',
                total_received_raw: '1000000000000000001',
                last_updated_at: '2026-01-02T00:00:00.000Z',
              },
              'base-sepolia': {
                currency: usd6,
                token_decimals: 6,
                balance: '0.000001',
                balance_raw: '1',
                total_received: '0.000001',
                total_received_raw: '1',
                last_updated_at: '2026-01-02T00:00:00.000Z',
              },
            },
            2,
          ),
          balanceRow(
            first,
            '0.5',
            '1.5',
            {
              'base-sepolia': {
                currency: usd6,
                token_decimals: 6,
                balance: '0.5',
                balance_raw: '500000',
                total_received: '1.5',
                total_received_raw: '1500000',
                last_updated_at: '2026-01-01T00:00:00.000Z',
              },
            },
            1,
          ),
        ],
        summary: {
          total_traders_referred: 1,
          total_rewards_earned_usd: '2.500001000000000001',
          total_claimable_usd: '0.500001000000000001',
        },
      },
    });
  });

  test('default: all wallets of the caller, per currency and chain, USD of 6 and 18 decimals added exactly', async () => {
    expect(await fees({})).toEqual({
      balances: [
        {
          currency_address: usd18,
          chain: 'bnb',
          total_earned: '1000000000000000001',
          claimable_amount: '1',
          total_earned_with_decimals: '1.000000000000000001',
          claimable_amount_with_decimals: '0.000000000000000001',
          decimals: 18,
          last_distribution_at: '2026-01-02T00:00:00.000Z',
        },
        {
          currency_address: usd6,
          chain: 'base-sepolia',
          total_earned: '1500001',
          claimable_amount: '500001',
          total_earned_with_decimals: '1.500001',
          claimable_amount_with_decimals: '0.500001',
          decimals: 6,
          last_distribution_at: '2026-01-02T00:00:00.000Z',
        },
      ],
      summary: {
        total_traders_referred: 1,
        total_rewards_earned_usd: '2.500001000000000001',
        total_claimable_usd: '0.500001000000000001',
      },
      wallets: [
        { address: first, claimable: '0.5', chains: [claim('base-sepolia', usd6, 6, '500000', '0.5')] },
        {
          address: second,
          claimable: '0.000001000000000001',
          chains: [
            claim('bnb', usd18, 18, '1', '0.000000000000000001'),
            claim('base-sepolia', usd6, 6, '1', '0.000001'),
          ],
        },
      ],
      sources: [
        { fee_type: 'ip_holder', credits: 3, earned_usd: '1.400001' },
        { fee_type: 'protocol_referral', credits: 7, earned_usd: '1.000000000000000001' },
        { fee_type: 'protocol_referral_cashback', credits: 3, earned_usd: '0.1' },
      ],
    });
  });

  test('behavior: chains restricts balances and sums; an unknown chain matches nothing; null is absent', async () => {
    const base = await fees({ chains: ['base-sepolia', 'nowhere'], user_id: null });
    expect(base.balances.map(({ chain }) => chain)).toEqual(['base-sepolia']);
    expect(base.summary.total_rewards_earned_usd).toBe('1.500001');
    expect(base.sources.map(({ fee_type }) => fee_type)).toEqual(['ip_holder', 'protocol_referral_cashback']);
    expect((await fees({ chains: ['nowhere'] })).balances).toEqual([]);
    expect((await fees({ chains: [] })).balances).toHaveLength(2);
  });

  test('behavior: a caller without fees or without a wallet gets empty sums', async () => {
    const empty = { total_traders_referred: 0, total_rewards_earned_usd: '0', total_claimable_usd: '0' };
    expect(await fees({}, callerWith())).toEqual({ balances: [], summary: empty, wallets: [], sources: [] });
    expect((await fees({}, callerWith(hex(0xe)))).summary).toEqual(empty);
  });

  test('error: W5 another user_id is refused, the own one in any case is taken', async () => {
    await expect(fees({ user_id: '00000000-0000-4000-8000-0000000000ff' })).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
    expect((await fees({ user_id: caller.userId.toUpperCase() })).balances).toHaveLength(2);
  });
});
