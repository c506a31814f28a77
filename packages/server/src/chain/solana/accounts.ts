import type { Base58 } from '@mintage/protocol';
import { toBase58 } from '@mintage/protocol';
import { littleEndian, wellKnown } from '@mintage/protocol/solana';
import type { Account } from './rpc/calls.ts';

/** Accounts of the cluster's own programs, as their bytes lie. */

export const clockAddress = 'SysvarC1ock11111111111111111111111111111111' as Base58;

/** Unix seconds by the validators' clock, in which the program counts. */
export const timeOf = ({ data }: Account): number => Number(BigInt.asIntN(64, littleEndian(data.subarray(32, 40))));

/** Where a token account has its amount. */
export const tokenAmountSlice = { offset: 64, length: 8 };

export interface TokenAccount {
  mint: Base58;
  owner: Base58;
  /** Base units. */
  amount: bigint;
}

/** Null for what is no token account of either program. */
export const tokenAccountIn = (account: Account | null): TokenAccount | null => {
  if (account === null || account.data.length < 165) return null;
  if (account.owner !== wellKnown.token && account.owner !== wellKnown.token2022) return null;
  const { data } = account;
  // Longer ones say what they are: 2 is a token account.
  if (data.length > 165 && data[165] !== 2) return null;
  return {
    mint: toBase58(data.subarray(0, 32)),
    owner: toBase58(data.subarray(32, 64)),
    amount: littleEndian(data.subarray(64, 72)),
  };
};

/** Base units; 0 where there is no account. */
export const tokensIn = (account: Account | null): bigint => tokenAccountIn(account)?.amount ?? 0n;

/** Of a mint, base units; 0 where there is none. */
export const supplyIn = (account: Account | null): bigint =>
  account === null ? 0n : littleEndian(account.data.subarray(36, 44));
