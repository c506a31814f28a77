import { type Address, chainBySlug } from '@mintage/protocol';
import type { Hex } from 'viem';
import { chainContext } from '../../src/index/chainContext.ts';
import type { Origin } from '../../src/index/events/origin.ts';
import type { Graduated } from '../../src/index/handlers/Graduated.ts';
import type { TokenCreated } from '../../src/index/handlers/TokenCreated.ts';
import type { Trade } from '../../src/index/handlers/Trade.ts';
import type { Transfer } from '../../src/index/handlers/Transfer.ts';
import { syntheticDeployment } from './syntheticChain.ts';

/** Events by hand, for tests of what they come to. One transaction per block, a block per minute. */
export const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
export const wallet = (digit: string): Hex => `0x${digit.repeat(40)}`;
export const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
export const [zero, token, creator, trader] = [...'03ab'].map(wallet) as [Hex, Hex, Hex, Hex];

export const at = (block: number, seconds = block * 60): Origin => ({
  block,
  blockHash: hash('a'),
  txHash: `0x${block.toString(16).padStart(64, '0')}`,
  logIndex: 0,
  time: new Date(seconds * 1000),
});

export const created: TokenCreated = {
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

export const trade = (block: number, fields: Partial<Trade> = {}): Trade => ({
  name: 'Trade',
  at: at(block),
  token,
  trader,
  recipient: trader,
  side: 'buy',
  venue: 'curve',
  foreignRouter: false,
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

/** A pool with 77 in range everywhere, and 5 more from tick 200 on. */
export const graduated = (block: number, amounts: { creatorReward?: string; dustUsd?: string } = {}): Graduated => ({
  name: 'Graduated',
  at: at(block),
  token,
  poolId: hash('9'),
  graduation: {
    sqrtPriceX96: '5',
    tick: -6,
    fullRange: { tickLower: -887_200, tickUpper: 887_200, liquidity: '77' },
    floor: { tickLower: 200, tickUpper: 887_200, liquidity: '5' },
    usdLocked: '1',
    tokensLocked: '2',
    floorUsd: '3',
    creatorReward: '0',
    dustUsd: '0',
    dustTokens: '4',
    ...amounts,
  },
});

export const transfer = (block: number, from: Address, to: Address, amount: bigint): Transfer => ({
  name: 'Transfer',
  at: at(block),
  token,
  from,
  to,
  amount,
});
