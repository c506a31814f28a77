import type { Hash } from '@mintage/protocol';
import { NonsenseError } from '../../chain/answers.ts';
import { RpcError, type Wire } from '../../chain/wire.ts';
import { slices, together } from '../sync/together.ts';
import type { Block, Level, Listed } from './calls.ts';
import * as calls from './calls.ts';
import type { LandedTransaction } from './transaction.ts';

/** The newest slot of each level. */
export interface Head {
  /** The newest that is confirmed. */
  number: number;
  finalized: number;
}

/** Where a list of transactions ends. */
export interface Listing {
  /** The oldest slot that belongs to it. */
  from: number;
  level: Level;
  /** A provider has left something out: everybody is asked, in another way than before. */
  again?: boolean;
}

/** The requests that following a cluster needs. */
export interface ClusterSource {
  /** The first letters of its genesis' hash, as CAIP-30 names a cluster. */
  identity(): Promise<string>;
  head(): Promise<Head>;
  /** Null where the provider has no block in that slot, whether it lags or the slot is empty. */
  block(slot: number, whole: boolean): Promise<Block | null>;
  /** Slots with a block from one to another, both included. */
  slots(from: number, to: number): Promise<number[]>;
  /** Transactions that name an address, newest first. */
  list(address: string, listing: Listing): Promise<Listed[]>;
  /** Undefined where the provider does not know it. */
  transactions(signatures: readonly Hash[]): Promise<(LandedTransaction | undefined)[]>;
  /** How many events accounts of the program have numbered, at a slot that is final; null of none of them. */
  numbers(accounts: readonly string[]): Promise<{ slot: number; numbers: (number | null)[] }>;
}

const readTimeoutMs = 10_000;
/** Most transactions that a provider lists at once. */
const listLength = 1_000;
/** So many are enough for what happened since a moment ago. */
const newsLength = 100;
const callsPerBatch = 32;
const accountsPerCall = 100;

/** A slot without a block, or one that the provider does not have yet or no more. */
const noBlock = new Set([-32_004, -32_007, -32_009, -32_001, -32_014]);
/** It is the provider that is not well, not the question that is wrong. */
const unwell = new Set([-32_603, -32_005, -32_016]);

/** A refusal says something about the question. */
export const isAnswer = (error: unknown): boolean => error instanceof RpcError && !unwell.has(error.code);

export const rpcSource = (wire: Wire): ClusterSource => ({
  identity: async () => (await wire.request(calls.getGenesisHash(), readTimeoutMs)).slice(0, 32),

  head: async () => {
    const asked = [calls.getSlot('confirmed'), calls.getSlot('finalized')] as const;
    const [number, finalized] = await wire.batch(asked, readTimeoutMs);
    return { number, finalized: Math.min(number, finalized) };
  },

  block: async (slot, whole) => {
    try {
      return await wire.request(calls.getBlock(slot, whole), readTimeoutMs);
    } catch (error) {
      if (error instanceof RpcError && noBlock.has(error.code)) return null;
      throw error;
    }
  },

  slots: (from, to) => wire.request(calls.getBlocks(from, to), readTimeoutMs),

  list: async (address, { from, level, again = false }) => {
    // Who leaves out every so many entries leaves out others when the pages are of another length.
    const usual = level === 'confirmed' ? newsLength : listLength;
    const limit = again ? 5 + Math.floor(Math.random() * 200) : usual;
    const found = new Map<Hash, Listed>();
    let before: Hash | undefined;
    for (let lowest = Number.POSITIVE_INFINITY; lowest >= from; ) {
      const page = await wire.request(
        calls.getSignaturesForAddress(address, { before, limit, commitment: level }),
        readTimeoutMs,
      );
      for (const one of page) {
        if (one.slot > lowest || found.has(one.signature)) throw new NonsenseError('a list that is not in order');
        lowest = one.slot;
        found.set(one.signature, one);
      }
      if (page.length === 0) break;
      before = page.at(-1)?.signature;
    }
    return [...found.values()].filter(({ slot }) => slot >= from);
  },

  transactions: async (signatures) => {
    const parts = await together(slices(signatures, callsPerBatch), (some) =>
      wire.batch(some.map(calls.getTransaction), readTimeoutMs),
    );
    return parts.flat().map((one) => one ?? undefined);
  },

  numbers: async (accounts) => {
    const parts = await together(slices(accounts, accountsPerCall), (some) =>
      wire.request(calls.getNumbers(some), readTimeoutMs),
    );
    return { slot: Math.max(0, ...parts.map(({ slot }) => slot)), numbers: parts.flatMap(({ numbers }) => numbers) };
  },
});
