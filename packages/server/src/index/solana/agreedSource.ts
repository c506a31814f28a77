import { isDeepStrictEqual } from 'node:util';
import type { Hash } from '@mintage/protocol';
import type { Provider } from '../../chain/provider.ts';
import { headsOf } from '../sync/heads.ts';
import { MovedError } from '../sync/MovedError.ts';
import { ProvidersDownError } from '../sync/poll.ts';
import { type Quorum, quorumOf } from '../sync/quorum.ts';
import type { Block, Listed } from './calls.ts';
import type { ClusterSource, Head, Listing } from './source.ts';
import type { LandedTransaction } from './transaction.ts';

/**
 * Several providers as one source. Blocks and transactions count once two of them say the same. Lists are put together instead:
 * nobody can add to them, because what they name has to be in a block, and whoever leaves something out is made up for by another.
 */
export const agreedSource = (providers: readonly Provider<ClusterSource>[]): ClusterSource => {
  const quorum = quorumOf(providers);
  const { agree } = quorum;
  const askHeads = headsOf<Head>(quorum);
  const lists = listsOf(quorum);
  return {
    identity: () => agree(0, { about: 'the genesis', ask: (source) => source.identity(), same: Object.is }),

    /** The newest slots that enough providers have. */
    head: async () => {
      const heads = await askHeads();
      const number = agreedOf(
        heads.map((head) => head.number),
        quorum.votes,
      );
      return {
        number,
        finalized: Math.min(
          number,
          agreedOf(
            heads.map((head) => head.finalized),
            quorum.votes,
          ),
        ),
      };
    },

    block: (slot, whole) =>
      agree<Block | null>(slot, {
        about: `the block of slot ${slot}`,
        ask: (source) => source.block(slot, whole),
        same: isDeepStrictEqual,
        isEmpty: (block) => block === null,
      }),

    slots: (from, to) =>
      agree<number[]>(to, {
        about: `the slots from ${from} to ${to}`,
        ask: (source) => source.slots(from, to),
        same: isDeepStrictEqual,
      }),

    list: (address, listing) =>
      listing.level === 'finalized' || listing.again ? lists.whole(address, listing) : lists.once(address, listing),

    transactions: (signatures) =>
      agree<(LandedTransaction | undefined)[]>(0, {
        about: `${signatures.length} transactions`,
        ask: (source) => source.transactions(signatures),
        same: isDeepStrictEqual,
        isEmpty: (found) => found.includes(undefined),
      }),

    /** The least that two of them say: nobody makes us look for an event that never was. */
    numbers: (accounts) =>
      agree(0, {
        about: 'the numbers of events',
        ask: (source) => source.numbers(accounts),
        same: () => true,
        merge: (one, other) => ({
          slot: Math.max(one.slot, other.slot),
          numbers: one.numbers.map((number, at) => {
            const also = other.numbers[at] ?? null;
            return number === null || also === null ? null : Math.min(number, also);
          }),
        }),
      }),
  };
};

/** The highest that so many of them have reached; the highest of all where there are not so many. */
const agreedOf = (slots: readonly number[], votes: number): number => {
  const highestFirst = slots.toSorted((a, b) => b - a);
  return highestFirst[votes - 1] ?? (highestFirst[0] as number);
};

/** Most times that a list is asked for until nothing new comes. */
const mostRounds = 8;

const listsOf = ({ agree, candidates, oneMaySuffice, votes }: Quorum<ClusterSource>) => ({
  once: (address: string, listing: Listing): Promise<Listed[]> =>
    agree(listing.from, {
      about: `transactions that name ${address}`,
      ask: (source) => source.list(address, listing),
      same: () => true,
      merge: (one, other) => united([one, other]),
    }),

  /** Asks two, or one twice, and as long as somebody names what nobody named before. */
  whole: async (address: string, listing: Listing): Promise<Listed[]> => {
    let known: Listed[] | undefined;
    for (let round = 0; round < mostRounds; round += 1) {
      const asked = candidates(listing.from).slice(0, round === 0 && !listing.again ? votes : undefined);
      const said = await Promise.allSettled(
        asked.map((provider) =>
          provider.ask((source) => source.list(address, { ...listing, again: round > 0 || listing.again === true })),
        ),
      );
      const lists = said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (lists.length < (oneMaySuffice ? 1 : votes)) {
        if (round === 0 && !listing.again) continue;
        throw new ProvidersDownError(said.find((one) => one.status === 'rejected')?.reason);
      }
      const all = united(known === undefined ? lists : [known, ...lists]);
      const before = known?.length ?? (lists.length > 1 ? Math.min(...lists.map(({ length }) => length)) : -1);
      if (all.length === before) return all;
      known = all;
    }
    throw new MovedError(`the list of transactions that name ${address}`);
  },
});

/** All entries of these lists, newest first. One failed when all say so. */
const united = (lists: readonly (readonly Listed[])[]): Listed[] => {
  const found = new Map<Hash, Listed>();
  for (const one of lists.flat()) {
    const known = found.get(one.signature);
    if (known !== undefined && known.slot !== one.slot) throw new MovedError(`the slot of ${one.signature}`);
    found.set(one.signature, { ...one, hasFailed: one.hasFailed && (known?.hasFailed ?? true) });
  }
  return [...found.values()].toSorted((a, b) => b.slot - a.slot);
};
