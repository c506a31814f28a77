import { moneyRaisedDown, poolTypes } from '@mintage/protocol';
import type { TokenV2 } from '@mintage/sdk';
import { describe, expect, it } from 'vitest';
import { raisedBySold, wholePercent } from '../src/features/market/raised.ts';
import { changed, hrefOf, questionsOf, viewOf } from '../src/features/market/view.ts';
import { withActivity } from '../src/features/market/withTrade.ts';
import { raisedPercent } from '../src/lib/raisedPercent.ts';

const view = (text: string) => viewOf(new URLSearchParams(text));

describe('viewOf', () => {
  it('default: an address and its view are the same, whatever is in it', () => {
    const full = '/?stage=graduating&chain=base&order=market_cap&watched=1&q=paper+boat&rows=150';
    expect(hrefOf(view(full.slice(2)))).toBe(full);
    expect(hrefOf(view(''))).toBe('/');
  });

  it('behavior: what no page has is left out', () => {
    expect(hrefOf(view('stage=<script>&chain=constructor&order=1&rows=-5&q=%20'))).toBe('/');
    expect(view('rows=1e9').rows).toBe(1_000);
    expect(view('rows=51').rows).toBe(100);
    expect(view(`q=${'x'.repeat(500)}`).keyword).toHaveLength(128);
  });

  it('behavior: another choice begins with the first rows and keeps the rest', () => {
    expect(changed(view('q=boat&rows=150'), { stage: 'new' })).toBe('/?stage=new&q=boat');
  });
});

describe('questionsOf', () => {
  it('default: a question for each fifty rows, by volume', () => {
    expect(questionsOf(view('rows=100'), [])).toEqual([
      { order_by: 'volume_24h', limit: 50, offset: 0 },
      { order_by: 'volume_24h', limit: 50, offset: 50 },
    ]);
  });

  it('behavior: a stage has an order of its own, and a chosen one wins', () => {
    expect(questionsOf(view('stage=new'), [])[0]).toEqual({ stage: 'new', limit: 50, offset: 0 });
    expect(questionsOf(view('stage=new&order=trx'), [])[0]).toMatchObject({ stage: 'new', order_by: 'trx' });
    expect(questionsOf(view('watched=1&chain=base'), ['a'])[0]).toMatchObject({ token_ids: ['a'], chains: ['base'] });
  });
});

describe('raisedBySold', () => {
  it('default: what the exact sum says, of every kind of curve', () => {
    for (const poolType of poolTypes) {
      const { raisedUsd } = moneyRaisedDown(poolType, { token: 18, usd: 6 }, 123_456_789n * 10n ** 18n);
      expect(raisedBySold(Number(poolType.raiseUsd), 123_456_789)).toBe(Number(raisedUsd) / 1e6);
    }
    expect(raisedBySold(1, 1)).toBeNull();
  });

  it('behavior: 100 % is said only when everything is raised', () => {
    expect([0.4, 72.96, 99.7, 100].map(wholePercent)).toEqual([0, 73, 99, 100]);
    const curve = { launchpad_raised_usd: null, launchpad_target_usd: 25_000 };
    expect(raisedPercent({ ...curve, stage: 'new' })).toBeNull();
    expect(raisedPercent({ ...curve, stage: 'graduated' })).toBe(100);
  });
});

describe('withActivity', () => {
  const token = {
    stage: 'new',
    price: 2,
    price_change_24h: 1,
    price_change_24h_percent: 100,
    trx: 1,
    volume_24h: 10,
    launchpad_supply: 0,
    launchpad_tokens_left: 750_000_000,
    launchpad_target_usd: 25_000,
    launchpad_raised_usd: 0,
  } as TokenV2;
  const buy = {
    activity_type: 'trade',
    activity_subtype: 'buy',
    pool: null,
    price_usd: '3',
    market_cap_usd: '3000000000',
    usd_amount: '101',
    token_amount: '375000000',
  } as Parameters<typeof withActivity>[1];

  it('default: a buy on the curve moves price, volume, sold and raised', () => {
    expect(withActivity(token, buy)).toMatchObject({
      price: 3,
      market_cap: 3_000_000_000,
      trx: 2,
      volume_24h: 111,
      price_change_24h: 2,
      price_change_24h_percent: 200,
      launchpad_supply: 375_000_000,
      launchpad_tokens_left: 375_000_000,
      launchpad_progress_pct: 50,
      launchpad_raised_usd: 6_250,
    });
  });

  it('behavior: a sell gives back, a swap in the pool leaves the curve alone, unknown stays unknown', () => {
    const bought = withActivity(token, buy);
    const sold = withActivity(bought, { ...buy, activity_subtype: 'sell' });
    expect([sold.launchpad_supply, sold.launchpad_raised_usd, sold.trx]).toEqual([0, 0, 3]);
    expect(withActivity(bought, { ...buy, pool: '0x01' }).launchpad_supply).toBe(375_000_000);
    const unknown = { ...token, volume_24h: null, price_change_24h: null, price_change_24h_percent: null };
    expect(withActivity(unknown, buy)).toMatchObject({ volume_24h: null, price_change_24h_percent: null });
  });

  it('behavior: a graduation fills the curve; a transfer changes nothing', () => {
    const graduation = { ...buy, activity_type: 'lifecycle', activity_subtype: 'graduation' } as typeof buy;
    const after = withActivity(token, { ...graduation, evt_block_time: '2026-01-01T00:00:00.000Z' });
    expect(after).toMatchObject({ stage: 'graduated', launchpad_raised_usd: 25_000, launchpad_tokens_left: 0 });
    expect(withActivity(token, { ...buy, activity_type: 'transfer' })).toBe(token);
  });
});
