import type { GraduationJson } from '../../db/chainTables.ts';
import type { Hex, Origin } from './log.ts';

/** The events that the tables are made of. Names and fields are those of `ILaunchpad.sol`, `IFeeVault.sol`, ERC-20 and
 * Uniswap's `IProtocolFees.sol`; amounts are base units. */
export interface TokenCreated {
  name: 'TokenCreated';
  at: Origin;
  token: Hex;
  creator: Hex;
  poolType: number;
  virtualTokens: bigint;
  virtualUsd: bigint;
  salt: Hex;
  tokenName: string;
  symbol: string;
  uri: string;
}

export interface Trade {
  name: 'Trade';
  at: Origin;
  token: Hex;
  trader: Hex;
  recipient: Hex;
  side: 'buy' | 'sell';
  venue: 'curve' | 'pool';
  /** A swap of the pool by a router that is not ours: `trader` sent the transaction and need not know of it, `recipient` is the router. */
  foreignRouter: boolean;
  grossUsd: bigint;
  tokens: bigint;
  feeBps: number;
  base: bigint;
  excess: bigint;
  builder: Hex;
  builderBps: number;
  builderFee: bigint;
  referral: Hex;
  referrer: Hex;
  cashback: bigint;
  stateA: bigint;
  stateB: bigint;
  tick: number;
}

export interface Completed {
  name: 'Completed';
  at: Origin;
  token: Hex;
}

export interface Graduated {
  name: 'Graduated';
  at: Origin;
  token: Hex;
  poolId: Hex;
  graduation: Omit<GraduationJson, 'txHash' | 'blockNumber' | 'logIndex'>;
}

export interface TreasuryCollected {
  name: 'TreasuryCollected';
  at: Origin;
  token: Hex;
  treasury: Hex;
  amount: bigint;
}

export interface Withdrawn {
  name: 'Withdrawn';
  at: Origin;
  account: Hex;
  currency: Hex;
  to: Hex;
  amount: bigint;
}

export interface ReferrerSet {
  name: 'ReferrerSet';
  at: Origin;
  user: Hex;
  /** The zero address when the owner of the Launchpad cleared it. */
  referrer: Hex;
}

export interface SettingChanged {
  name: 'SettingChanged';
  at: Origin;
  /** `treasury`, `voucherSigner`, `pendingOwner` or `owner`. */
  setting: string;
  value: Hex;
}

/** Of a launched token. */
export interface Transfer {
  name: 'Transfer';
  at: Origin;
  token: Hex;
  from: Hex;
  to: Hex;
  amount: bigint;
}

/** Of the PoolManager, for any pool. */
export interface ProtocolFeeUpdated {
  name: 'ProtocolFeeUpdated';
  at: Origin;
  poolId: Hex;
  protocolFee: number;
}

export type LaunchpadEvent =
  | TokenCreated
  | Trade
  | Completed
  | Graduated
  | TreasuryCollected
  | Withdrawn
  | ReferrerSet
  | SettingChanged;

export type ChainEvent = LaunchpadEvent | Transfer | ProtocolFeeUpdated;
