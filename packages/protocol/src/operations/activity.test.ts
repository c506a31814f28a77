import { describe, expect, test } from 'vitest';
import type { Address } from '../chains/address.ts';
import { activityKey, graduationActivities, tradeActivity, transferActivity } from './activity.ts';

const usd: Address = `0x${'11'.repeat(20)}`;
const chain = { slug: 'base', usd, usd_decimals: 6, token_decimals: 18, launchpad: `0x${'aa'.repeat(20)}` };
const address: Address = `0x${'22'.repeat(20)}`;
const token = { address, platform_id: `0x${'33'.repeat(32)}`, pool_id: `0x${'44'.repeat(32)}` };
const at = { block_number: 7, log_index: 3, tx_hash: '0xabc', time: new Date('2030-01-01T00:00:00Z') };
const filled = (record: object) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
const shared = {
  chain: 'base',
  tx_hash: '0xabc',
  token_address: token.address,
  evt_block_number: 7,
  evt_index: 3,
  evt_block_time: '2030-01-01T00:00:00.000Z',
  platform_id: token.platform_id,
};

describe('activity', () => {
  const trade = {
    ...at,
    trader: '0x1',
    recipient: '0x2',
    side: 'buy' as const,
    venue: 'curve' as const,
    foreign_router: false,
    gross_usd: 1_500_000n,
    tokens: 25n * 10n ** 17n,
    price_usd18: 12_500_000_000_000n,
  };

  test('trade: what was paid, what came, and the price after it; no pool on the curve', () => {
    expect(filled(tradeActivity(chain, token, trade))).toEqual({
      ...shared,
      pk: 'base:0xabc:3:trade',
      activity_type: 'trade',
      activity_subtype: 'buy',
      wallet: '0x1',
      trader: '0x1',
      receiver: '0x2',
      token_amount: '2.5',
      token_amount_raw: '2500000000000000000',
      usd_amount: '1.5',
      usd_amount_raw: '1500000',
      price_usd: '0.0000125',
      price_usd_raw: '12500000000000',
      market_cap_usd: '12500',
      market_cap_usd_raw: '12500000000000000000000',
      token_decimals: '18',
    });
    expect(tradeActivity(chain, token, { ...trade, venue: 'pool', side: 'sell' })).toMatchObject({
      pool: token.pool_id,
      activity_subtype: 'sell',
    });
  });

  test('transfer: from, to and amount', () => {
    expect(filled(transferActivity(chain, token, { ...at, sender: '0x1', recipient: '0x2', amount: 1n }))).toEqual({
      ...shared,
      pk: activityKey('base', '0xabc', 3, 'transfer'),
      activity_type: 'transfer',
      activity_subtype: 'local',
      from_address: '0x1',
      to_address: '0x2',
      token_amount: '0.000000000000000001',
      token_amount_raw: '1',
      token_decimals: '18',
    });
  });

  test('C17 graduation: deposit and end of the curve by one log, amounts in the order of the currencies', () => {
    const graduation = {
      txHash: '0xabc',
      blockNumber: 7,
      logIndex: 3,
      fullRange: { liquidity: '99' },
      usdLocked: '20000000',
      tokensLocked: `${249_999_999n * 10n ** 18n}`,
      floorUsd: '5000000',
      creatorReward: '3000000',
      dustUsd: '1',
      dustTokens: `${10n ** 18n}`,
    };
    const [deposit, end] = graduationActivities(chain, token, graduation, at.time);
    expect([deposit.pk, end.pk]).toEqual(['base:0xabc:3:lp', 'base:0xabc:3:lifecycle']);
    expect(deposit).toMatchObject({
      wallet: chain.launchpad,
      amount0: '25',
      amount1: '249999999',
      liquidity_amount: '99',
    });
    expect(end).toMatchObject({ is_external: false, final_supply: '750000000', final_reserves: '28.000001' });
    const low = { ...token, address: `0x${'00'.repeat(20)}` as const };
    expect(graduationActivities(chain, low, graduation, at.time)[0]).toMatchObject({
      amount0: '249999999',
      amount1: '25',
    });
  });
});
