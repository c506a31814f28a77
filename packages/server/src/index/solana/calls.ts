import type { Hash } from '@mintage/protocol';
import { decodeAccount } from '@mintage/protocol/solana';
import { arrayOf, fieldsOf, NonsenseError, orNull } from '../../chain/answers.ts';
import type { RpcCall } from '../../chain/wire.ts';
import type { Header } from '../sync/changes.ts';
import { hashOf, signatureOf, wholeOf } from './answers.ts';
import { type LandedTransaction, readLanded } from './transaction.ts';

/** The calls that following a cluster needs, with the form of their answers. */

/** How much of the cluster has voted for it: what is confirmed may still vanish, what is finalized does not. */
export type Level = 'confirmed' | 'finalized';

/** A block as the number of its slot: numbers have gaps, because slots are skipped. */
export interface Block extends Header {
  /** Its transactions in their order; null: not asked for. */
  signatures: readonly Hash[] | null;
}

/** A transaction as a list of those that name an address shows it. */
export interface Listed {
  signature: Hash;
  slot: number;
  hasFailed: boolean;
}

export const getGenesisHash = (): RpcCall<Hash> => ({ method: 'getGenesisHash', params: [], parse: hashOf });

export const getSlot = (commitment: Level): RpcCall<number> => ({
  method: 'getSlot',
  params: [{ commitment }],
  parse: wholeOf,
});

/** Slots with a block from one to another, both included. */
export const getBlocks = (from: number, to: number): RpcCall<number[]> => ({
  method: 'getBlocks',
  params: [from, to, { commitment: 'confirmed' }],
  parse: (answer) => arrayOf(answer).map(wholeOf),
});

/** @param whole - Whether its transactions are listed. */
export const getBlock = (slot: number, whole: boolean): RpcCall<Block | null> => ({
  method: 'getBlock',
  params: [
    slot,
    {
      commitment: 'confirmed',
      transactionDetails: whole ? 'signatures' : 'none',
      rewards: false,
      maxSupportedTransactionVersion: 1,
    },
  ],
  parse: orNull((answer) => {
    const { blockhash, previousBlockhash, parentSlot, blockTime, signatures } = fieldsOf(answer);
    if (wholeOf(parentSlot) > slot) throw new NonsenseError(`slot ${slot} has a parent above itself`);
    return {
      number: slot,
      hash: hashOf(blockhash),
      parentHash: hashOf(previousBlockhash),
      timestamp: wholeOf(blockTime),
      signatures: whole ? arrayOf(signatures).map(signatureOf) : null,
    };
  }),
});

/** Newest first. @param before - Only what is older; absent: from the newest on. */
export const getSignaturesForAddress = (
  address: string,
  { before, limit, commitment }: { before?: string | undefined; limit: number; commitment: Level },
): RpcCall<Listed[]> => ({
  method: 'getSignaturesForAddress',
  params: [address, { before, limit, commitment }],
  parse: (answer) =>
    arrayOf(answer).map((one) => {
      const { signature, slot, err } = fieldsOf(one);
      return { signature: signatureOf(signature), slot: wholeOf(slot), hasFailed: err != null };
    }),
});

export const getTransaction = (signature: string): RpcCall<LandedTransaction | null> => ({
  method: 'getTransaction',
  params: [signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 1 }],
  parse: orNull((answer) => {
    const landed = readLanded(answer);
    if (landed.signature !== signature) throw new NonsenseError(`another transaction in the place of ${signature}`);
    return landed;
  }),
});

/** What accounts of the program have counted in `seq`, at a slot that is final; null of one that is no such account. */
export const getNumbers = (accounts: readonly string[]): RpcCall<{ slot: number; numbers: (number | null)[] }> => ({
  method: 'getMultipleAccounts',
  params: [accounts, { commitment: 'finalized', encoding: 'base64' }],
  parse: (answer) => {
    const { context, value } = fieldsOf(answer);
    const numbers = arrayOf(value).map(orNull(numberOf));
    if (numbers.length !== accounts.length) throw new NonsenseError('not as many accounts as were asked for');
    return { slot: wholeOf(fieldsOf(context).slot), numbers };
  },
});

const numberOf = (account: unknown): number | null => {
  const [text] = arrayOf(fieldsOf(account).data);
  const data = typeof text === 'string' ? Uint8Array.from(Buffer.from(text, 'base64')) : new Uint8Array();
  for (const kind of ['Launch', 'User', 'Config'] as const) {
    const state = decodeAccount(kind, data);
    if (state !== null) return Number(state.seq);
  }
  return null;
};
