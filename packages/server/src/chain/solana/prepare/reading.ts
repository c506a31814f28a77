import type { Base58 } from '@mintage/protocol';
import type { Rpc } from '../../rpc.ts';
import type { Launchpad } from '../launchpad.ts';
import {
  type Account,
  getBlockHeight,
  getLatestBlockhash,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getRecentPrioritizationFees,
  type Lifetime,
} from '../rpc/calls.ts';
import { priorityFeeOf } from './priorityFee.ts';

/** With what a transaction is prepared. */
export interface Preparing {
  rpc: Pick<Rpc, 'first'>;
  launchpad: Launchpad;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * What a transaction is prepared from. One provider's word will do: the program looks at every account, limits and deadline stand in
 * the call, and the fee has a cap.
 */
export interface Reading {
  /** Null: there is none. */
  account(address: Base58): Account | null;
  lifetime: Lifetime;
  /** Blocks before the newest one. */
  height: number;
  /** Micro-lamports for a unit. */
  priorityFee: bigint;
  /** Lamports that a new account of so many bytes has to hold. */
  rentOf(bytes: number): bigint;
}

/** @param written - Accounts for which others pay too: what they pay decides the priority fee. */
export const readFor = async (
  rpc: Pick<Rpc, 'first'>,
  addresses: readonly Base58[],
  written: readonly Base58[],
): Promise<Reading> => {
  const wanted = [...new Set(addresses)];
  const [accounts, lifetime, height, fees, emptyRent] = await rpc.first((node) =>
    node.batch([
      getMultipleAccounts(wanted, 'latest'),
      getLatestBlockhash(),
      getBlockHeight(),
      getRecentPrioritizationFees(written),
      getMinimumBalanceForRentExemption(0),
    ]),
  );
  const found = new Map(wanted.map((address, at) => [address, accounts.value[at] ?? null]));
  return {
    account(address) {
      const account = found.get(address);
      if (account === undefined) throw new Error(`${address} was not read.`);
      return account;
    },
    lifetime,
    height,
    priorityFee: priorityFeeOf(fees),
    rentOf: (bytes) => (emptyRent / rentedBesides) * (rentedBesides + BigInt(bytes)),
  };
};

/** Bytes that every account pays for besides its data. */
const rentedBesides = 128n;
