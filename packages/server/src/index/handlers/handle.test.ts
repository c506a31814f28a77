import { type Address, chainBySlug, poolAddressOf } from '@mintage/protocol';
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { eids } from '../../../test/eids.ts';
import {
  at,
  chain,
  created,
  creator,
  graduated,
  hash,
  token,
  trade,
  transfer,
  wallet,
  zero,
} from '../../../test/index/events.ts';
import { pageOf } from '../../../test/index/pageOf.ts';
import { syntheticDeployment as deployment } from '../../../test/index/syntheticChain.ts';
import { chainContext } from '../chainContext.ts';
import type { Page } from '../page/page.ts';
import type { ChainEvent } from './events.ts';
import { Transfer } from './Transfer.ts';

const [trader, builder, referral, referrer, treasury] = [...'bcdef'].map(wallet) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

/** What a deployment on such an exchange has in the place of Uniswap v4. */
const v3 = {
  venue: 'pancake_v3',
  poolManager: null,
  exchange: { factory: wallet('8'), deployer: wallet('9'), poolCodeHash: hash('5'), isEra: false },
} as const;

/** Applies these events to empty tables and returns the page. */
const run = (...events: ChainEvent[]): Promise<Page> => pageOf(chain, events, { treasury });

const update = (poolId: Address): ChainEvent => ({ name: 'ProtocolFeeUpdated', at: at(10), poolId, protocolFee: 12 });

const tokenRow = (page: Page) => page.rows.token.changed()[0];
const credits = (page: Page) =>
  page.written.fee_credit.map((row) => [row.recipient, row.amount, row.distribution_type, row.activity_id]);

describe('handleAll', () => {
  test('Trade: every part to its person, the rest to the token', async () => {
    const page = await run(
      created,
      trade(2, { builder, builderBps: 50, builderFee: 5_000n, referral, referrer, cashback: 400n, excess: 70n }),
    );
    expect(credits(page)).toEqual([
      [creator, 3_500n, 0, 0],
      [builder, 5_000n, 1, 0],
      [referral, 1_500n, 2, 0],
      [referrer, 1_000n, 3, 0],
      [trader, 400n, 4, 0],
    ]);
    expect(tokenRow(page)).toMatchObject({
      virtual_tokens: 100n,
      virtual_usd: 200n,
      floor_usd: 70n,
      treasury_share: 3_600n,
      trades: 1,
      volume_usd: 1_000_000n,
      last_trade_at: at(2).time,
    });
  });

  test('Trade: on the pool it moves the pool, and the fee is one of a DEX trade', async () => {
    const inPool = (tick: number) => trade(3, { venue: 'pool', stateA: 7n, stateB: 0n, tick });
    const page = await run(created, graduated(2), inPool(-9));
    expect(tokenRow(page)).toMatchObject({ virtual_tokens: 1280n, sqrt_price_x96: 7n, liquidity: 77n, tick: -9 });
    expect(credits(page)).toEqual([[creator, 5_000n, 0, 1]]);
    // The floor counts from its first tick on, and only there.
    expect(tokenRow(await run(created, graduated(2), inPool(199)))).toMatchObject({ liquidity: 77n });
    expect(tokenRow(await run(created, graduated(2), inPool(200)))).toMatchObject({ liquidity: 82n });
    await expect(run(created, inPool(0))).rejects.toThrow('in a pool before it had one');
  });

  test('H18 ReferrerSet: kept until it is cleared, then another', async () => {
    const set = (block: number, by: Address): ChainEvent => ({
      name: 'ReferrerSet',
      at: at(block),
      user: trader,
      referrer: by,
    });
    const after = async (...events: ChainEvent[]) => (await run(...events)).rows.referrer.changed();
    const row = { eid: eids.baseSepolia, trader };
    expect(await after(set(2, referrer))).toEqual([{ ...row, referrer, block_number: 2, time: at(2).time }]);
    const cleared = { ...row, referrer: null, block_number: 3, time: at(3).time };
    expect(await after(set(2, referrer), set(3, zero))).toEqual([cleared]);
    expect(await after(set(2, referrer), set(3, zero), set(4, builder))).toMatchObject([{ referrer: builder }]);
  });

  test('H19 Trade by a foreign router: the token’s volume and the creator’s fee, and no person’s volume', async () => {
    const swap = trade(2, { venue: 'pool', foreignRouter: true, recipient: wallet('9'), stateA: 7n, stateB: 0n });
    const page = await run(created, graduated(1), swap, trade(3, { venue: 'pool', stateA: 7n, stateB: 0n }));
    expect(tokenRow(page)).toMatchObject({ volume_usd: 2_000_000n, trades: 2 });
    expect(page.rows.candle.changed().filter(({ seconds }) => seconds === 86_400)).toMatchObject([{ trades: 2 }]);
    expect(credits(page)).toEqual([
      [creator, 5_000n, 0, 1],
      [creator, 5_000n, 0, 1],
    ]);
    expect(page.written.trade.map((row) => row.foreign_router)).toEqual([true, false]);
    expect(page.rows.trader.changed()).toMatchObject([{ wallet: trader, volume_usd: 1_000_000n, trades: 1 }]);
  });

  test('Completed: until somebody sells back on the curve', async () => {
    const completed: ChainEvent = { name: 'Completed', at: at(3), token };
    expect(tokenRow(await run(created, trade(2), completed))?.completed).toBe(true);
    expect(tokenRow(await run(created, trade(2), completed, trade(4, { side: 'sell' })))?.completed).toBe(false);
  });

  test('Graduated: the reward is the creator’s, the dust the treasury’s, the floor leaves the curve', async () => {
    const page = await run(created, trade(2, { excess: 70n }), graduated(9, { creatorReward: '10000', dustUsd: '2' }));
    expect(credits(page).slice(1)).toEqual([
      [creator, 10_000n, 0, 3],
      [treasury, 2n, 255, 3],
    ]);
    expect(tokenRow(page)).toMatchObject({
      floor_usd: 0n,
      pool_id: hash('9'),
      sqrt_price_x96: 5n,
      liquidity: 77n,
      tick: -6,
    });
    expect(page.pools.get(hash('9'))).toBe(token);
  });

  test('TreasuryCollected: also when it comes before the trade whose part it includes', async () => {
    const collected = (block: number, amount: bigint): ChainEvent => ({
      name: 'TreasuryCollected',
      at: at(block),
      token,
      treasury,
      amount,
    });
    const page = await run(created, trade(2), collected(3, 10_000n), trade(3));
    expect(tokenRow(page)?.treasury_share).toBe(0n);
    expect(credits(page)[1]).toEqual([treasury, 10_000n, 255, 255]);
  });

  test('Withdrawn: earned stays, claimable falls', async () => {
    const withdrawn: ChainEvent = {
      name: 'Withdrawn',
      at: at(3),
      account: creator,
      currency: chain.usd,
      to: trader,
      amount: 4_000n,
    };
    const page = await run(created, trade(2), withdrawn);
    expect(page.rows.fee_balance.changed()).toEqual([
      expect.objectContaining({
        recipient: creator,
        earned: 5_000n,
        claimable: 1_000n,
        last_distribution_at: at(2).time,
      }),
    ]);
    await expect(run(created, trade(2), { ...withdrawn, amount: 5_001n })).rejects.toThrow('the tables hold 5000');
  });

  test('Transfer: one of zero, which anyone causes in the name of anyone, leaves nothing', async () => {
    const page = await run(
      created,
      transfer(1, zero, chain.launchpad, 100n),
      transfer(2, chain.launchpad, trader, 10n),
      transfer(3, trader, builder, 0n),
      transfer(4, trader, builder, 1n),
    );
    expect(page.written.transfer.map(({ block_number }) => block_number)).toEqual([1, 2, 4]);
    expect(Transfer.activities?.(page, 0).map(({ activity }) => activity.evt_block_number)).toEqual([4]);
  });

  test('Transfer: holders are wallets with a balance; contracts of ours and nobody are none', async () => {
    const mint = transfer(1, zero, chain.launchpad, 100n);
    const page = await run(
      created,
      mint,
      transfer(2, chain.launchpad, trader, 10n),
      transfer(3, trader, builder, 4n),
      transfer(4, trader, trader, 6n),
      transfer(5, referral, referrer, 0n),
      transfer(6, builder, deployment.launchpad, 4n),
    );
    expect(tokenRow(page)?.holders).toBe(1);
    expect(page.rows.balance.changed().map((row) => [row.wallet, row.amount, row.first_acquired])).toEqual([
      [trader, 6n, at(2).time],
      [builder, 0n, at(3).time],
    ]);
    expect(page.written.transfer.length).toBe(5);
    await expect(run(created, mint, transfer(2, trader, builder, 1n))).rejects.toThrow('the tables hold 0');
  });

  test('SettingChanged: only the treasury, and the journal knows the one before', async () => {
    const change = (setting: string): ChainEvent => ({ name: 'SettingChanged', at: at(4), setting, value: trader });
    expect((await run(change('owner'))).treasury).toBe(treasury);
    const page = await run(change('treasury'));
    expect(page.treasury).toBe(trader);
    expect(page.journal.rows).toMatchObject([
      { table_name: 'chain', block_number: 4, before: JSON.stringify({ treasury }) },
    ]);
  });

  test('ProtocolFeeUpdated: of our pools', async () => {
    expect(tokenRow(await run(created, graduated(9), update(hash('9'))))?.protocol_fee).toBe(12);
    expect(tokenRow(await run(created, graduated(9), update(hash('8'))))?.protocol_fee).toBe(0);
  });

  describe('on a v3 exchange', () => {
    const on = chainContext({ chain: chainBySlug('bnb-testnet'), deployment: { ...deployment, ...v3 } });
    const pool = poolAddressOf(v3.exchange, deployment.usd, token as Hex);
    const runThere = (...events: ChainEvent[]): Promise<Page> => pageOf(on, events, { treasury });
    const opened = graduated(5);
    const swap = (sender: Address, ofToken: bigint, ofUsd: bigint): ChainEvent => {
      const [amount0, amount1] = on.usd < token ? [ofUsd, ofToken] : [ofToken, ofUsd];
      return {
        name: 'Swap',
        at: at(6),
        token,
        sender,
        recipient: trader,
        amount0,
        amount1,
        sqrtPriceX96: 2n ** 96n,
        tick: 0,
      };
    };

    test('Swap: a stranger’s is a trade without fees, ours is told by Trade', async () => {
      const page = await runThere(created, opened, swap(builder, -70n, 9n));
      expect(page.written.trade).toMatchObject([
        {
          trader,
          recipient: builder,
          side: 'buy',
          venue: 'pool',
          foreign_router: true,
          tokens: 70n,
          gross_usd: 9n,
          base: 0n,
        },
      ]);
      expect(credits(page)).toEqual(credits(await runThere(created, opened)));
      expect((await runThere(created, opened, swap(builder, 70n, -9n))).written.trade[0]?.side).toBe('sell');
      expect((await runThere(created, opened, swap(on.launchpad, -70n, 9n))).written.trade).toEqual([]);
    });

    test('Trade: the builder’s is the only fee, and rewards come out of what the treasury has, in order', async () => {
      const collected: ChainEvent = { name: 'PoolFeesCollected', at: at(6), token, usd: 4_001n, tokens: 0n };
      const inPool = {
        venue: 'pool',
        feeBps: 0,
        base: 0n,
        excess: 0n,
        cashback: 0n,
        stateA: 2n ** 96n,
        stateB: 0n,
      } as const;
      const traded = trade(7, { ...inPool, builder, builderBps: 50, builderFee: 5_000n, referral, referrer });
      const page = await runThere(created, opened, collected, traded);
      // Of 1,000,000: 15 basis points to the referral, 10 to the referrer, 4 to the trader, as far as 2,001 reach.
      expect(credits(page).slice(-3)).toEqual([
        [builder, 5_000n, 1, 1],
        [referral, 1_500n, 2, 1],
        [referrer, 501n, 3, 1],
      ]);
      expect(tokenRow(page)?.treasury_share).toBe(0n);
      expect(page.written.trade[0]?.cashback).toBe(0n);
    });

    test('PoolFeesCollected: half to the creator, and the odd unit to the treasury, in dollars and in tokens', async () => {
      const page = await runThere(created, opened, {
        name: 'PoolFeesCollected',
        at: at(6),
        token,
        usd: 5n,
        tokens: 7n,
      });
      const paid = page.written.fee_credit.filter(({ block_number }) => block_number === 6);
      expect(paid.map((row) => [row.recipient, row.currency, row.amount])).toEqual([
        [creator, on.usd, 2n],
        [creator, token, 3n],
        [treasury, token, 4n],
      ]);
      expect(tokenRow(page)?.treasury_share).toBe(3n);
      const ofCreator = page.rows.fee_sum.find(creator, 0);
      expect(ofCreator?.earned).toBe(page.rows.fee_balance.find(creator, on.usd)?.earned);
    });

    test('PoolLeveled: the dollars are kept for the floor', async () => {
      const page = await runThere(created, { name: 'PoolLeveled', at: at(4), token, usdGained: 11n });
      expect(tokenRow(page)?.floor_usd).toBe(11n);
    });

    test('Transfer: a token’s own pool is no holder, another token’s is', async () => {
      const other = poolAddressOf(v3.exchange, deployment.usd, creator as Hex);
      const mint = transfer(1, zero, on.launchpad, 100n);
      const page = await runThere(
        created,
        mint,
        transfer(2, on.launchpad, pool, 60n),
        transfer(3, on.launchpad, other, 5n),
      );
      expect(tokenRow(page)?.holders).toBe(1);
      expect(page.written.transfer.map((row) => row.is_leg)).toEqual([true, true, true]);
      expect(page.rows.balance.changed().map((row) => row.wallet)).toEqual([other]);
    });
  });
});
