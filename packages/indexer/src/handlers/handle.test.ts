import { describe, expect, test } from 'vitest';
import { syntheticDeployment as deployment } from '../../test/syntheticChain.ts';
import { chainContext } from '../chainContext.ts';
import type { ChainEvent, Trade } from '../events/events.ts';
import type { Hex, Origin } from '../events/log.ts';
import { ChangedRows } from '../store/changedRows.ts';
import { Journal } from '../store/journal.ts';
import { balanceKeys, feeBalanceKeys, tokenKeys } from '../store/neededKeys.ts';
import { Page } from '../store/page.ts';
import { balanceSpec, feeBalanceSpec, tokenSpec } from '../store/specs.ts';
import { handle } from './handle.ts';

const chain = chainContext({ slug: 'base-sepolia', eid: 40245 }, deployment);
const wallet = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [zero, token, creator, trader, builder, referral, referrer, treasury] = [...'03abcdef'].map(wallet) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** One event per block, a minute apart. */
const at = (block: number): Origin => ({
  block,
  blockHash: hash('a'),
  txHash: hash('b'),
  logIndex: 0,
  time: new Date(block * 60_000),
});

const run = (...events: ChainEvent[]): Page => {
  const journal = new Journal(chain.chainId, 0);
  const pools = new Map([[hash('9'), token]]);
  const page = new Page({
    chain,
    journal,
    tokens: new ChangedRows(tokenSpec, journal, tokenKeys(chain, events, pools), []),
    balances: new ChangedRows(balanceSpec, journal, balanceKeys(chain, events), []),
    feeBalances: new ChangedRows(feeBalanceSpec, journal, feeBalanceKeys(chain, events, [], treasury), []),
    pools: new Map(),
    treasury,
  });
  for (const event of events) handle(page, event);
  return page;
};

const created: ChainEvent = {
  name: 'TokenCreated',
  at: at(1),
  token,
  creator,
  poolType: 8,
  virtualTokens: 1280n,
  virtualUsd: 18n,
  salt: hash('1'),
  tokenName: 'Name',
  symbol: 'SYM',
  uri: 'ipfs://u',
};

const trade = (block: number, fields: Partial<Trade> = {}): Trade => ({
  name: 'Trade',
  at: at(block),
  token,
  trader,
  recipient: trader,
  side: 'buy',
  venue: 'curve',
  grossUsd: 1_000_000n,
  tokens: 5n,
  feeBps: 100,
  base: 10_000n,
  excess: 0n,
  builder: zero,
  builderBps: 0,
  builderFee: 0n,
  referral: zero,
  referrer: zero,
  cashback: 0n,
  stateA: 100n,
  stateB: 200n,
  tick: 0,
  ...fields,
});

const graduated = (creatorReward: string, dustUsd: string): ChainEvent => {
  const range = { tickLower: -200, tickUpper: 200, liquidity: '77' };
  const amounts = { usdLocked: '1', tokensLocked: '2', floorUsd: '3', creatorReward, dustUsd, dustTokens: '4' };
  const graduation = { sqrtPriceX96: '5', tick: -6, fullRange: range, floor: range, ...amounts };
  return { name: 'Graduated', at: at(9), token, poolId: hash('9'), graduation };
};

const update = (poolId: Hex): ChainEvent => ({ name: 'ProtocolFeeUpdated', at: at(10), poolId, protocolFee: 12 });

const tokenRow = (page: Page) => page.tokens.changed()[0];
const credits = (page: Page) =>
  page.feeCredits.map((row) => [row.recipient, row.amount, row.distribution_type, row.activity_id]);

describe('handle', () => {
  test('Trade: every part to its person, the rest to the token', () => {
    const page = run(
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

  test('Trade: on the pool it moves the pool, and the fee is one of a DEX trade', () => {
    const page = run(created, trade(2, { venue: 'pool', stateA: 7n, stateB: 8n, tick: -9 }));
    expect(tokenRow(page)).toMatchObject({ virtual_tokens: 1280n, sqrt_price_x96: 7n, liquidity: 8n, tick: -9 });
    expect(credits(page)).toEqual([[creator, 5_000n, 0, 1]]);
  });

  test('Completed: until somebody sells back on the curve', () => {
    const completed: ChainEvent = { name: 'Completed', at: at(3), token };
    expect(tokenRow(run(created, trade(2), completed))?.completed).toBe(true);
    expect(tokenRow(run(created, trade(2), completed, trade(4, { side: 'sell' })))?.completed).toBe(false);
  });

  test('Graduated: the reward is the creator’s, the dust the treasury’s, the floor leaves the curve', () => {
    const page = run(created, trade(2, { excess: 70n }), graduated('10000', '2'));
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

  test('TreasuryCollected: also when it comes before the trade whose part it includes', () => {
    const collected = (block: number, amount: bigint): ChainEvent => ({
      name: 'TreasuryCollected',
      at: at(block),
      token,
      treasury,
      amount,
    });
    const page = run(created, trade(2), collected(3, 10_000n), trade(3));
    expect(tokenRow(page)?.treasury_share).toBe(0n);
    expect(credits(page)[1]).toEqual([treasury, 10_000n, 255, 255]);
  });

  test('Withdrawn: earned stays, claimable falls', () => {
    const withdrawn: ChainEvent = {
      name: 'Withdrawn',
      at: at(3),
      account: creator,
      currency: chain.usd,
      to: trader,
      amount: 4_000n,
    };
    const page = run(created, trade(2), withdrawn);
    expect(page.feeBalances.changed()).toEqual([
      expect.objectContaining({
        recipient: creator,
        earned: 5_000n,
        claimable: 1_000n,
        last_distribution_at: at(2).time,
      }),
    ]);
    expect(() => run(created, trade(2), { ...withdrawn, amount: 5_001n })).toThrow('the tables hold 5000');
  });

  test('Transfer: holders are wallets with a balance; contracts of ours and nobody are none', () => {
    const transfer = (block: number, from: Hex, to: Hex, amount: bigint): ChainEvent => ({
      name: 'Transfer',
      at: at(block),
      token,
      from,
      to,
      amount,
    });
    const mint = transfer(1, zero, chain.launchpad, 100n);
    const page = run(
      created,
      mint,
      transfer(2, chain.launchpad, trader, 10n),
      transfer(3, trader, builder, 4n),
      transfer(4, trader, trader, 6n),
      transfer(5, referral, referrer, 0n),
      transfer(6, builder, deployment.poolHook, 4n),
    );
    expect(tokenRow(page)?.holders).toBe(1);
    expect(page.balances.changed().map((row) => [row.wallet, row.amount, row.first_acquired])).toEqual([
      [trader, 6n, at(2).time],
      [builder, 0n, at(3).time],
    ]);
    expect(page.transfers.length).toBe(6);
    expect(() => run(created, mint, transfer(2, trader, builder, 1n))).toThrow('the tables hold 0');
  });

  test('SettingChanged: only the treasury, and the journal knows the one before', () => {
    const change = (setting: string): ChainEvent => ({ name: 'SettingChanged', at: at(4), setting, value: trader });
    expect(run(change('owner')).treasury).toBe(treasury);
    const page = run(change('treasury'));
    expect(page.treasury).toBe(trader);
    expect(page.journal.rows).toMatchObject([{ table_name: 'chain', block_number: 4, before: { treasury } }]);
  });

  test('ProtocolFeeUpdated: of our pools', () => {
    expect(tokenRow(run(created, graduated('0', '0'), update(hash('9'))))?.protocol_fee).toBe(12);
    expect(tokenRow(run(created, graduated('0', '0'), update(hash('8'))))?.protocol_fee).toBe(0);
  });
});
