import { votesNeeded } from '../../chain/agreement.ts';
import type { Line, Provider } from '../../chain/provider.ts';
import { poll, type Question } from './poll.ts';

/** The providers of one chain, as they are asked: docs/decisions/0037-agreement.md. */
export interface Quorum<L extends Line> {
  /** So many have to say the same. */
  votes: number;
  /** Whether one alone is believed when no other answers. */
  oneMaySuffice: boolean;
  /** Providers to ask: the usable ones that have the block, fastest first; others only when too few would remain. */
  candidates(block?: number): Provider<L>[];
  /** What enough of them say; errors as of `poll`. @param block - Those that have it come first. */
  agree<T>(block: number, question: Question<L, T>): Promise<T>;
}

/** @throws Error without a provider. */
export const quorumOf = <L extends Line>(providers: readonly Provider<L>[]): Quorum<L> => {
  if (providers.length === 0) throw new Error('a chain needs at least one RPC URL');
  const quorum = { votes: votesNeeded(providers.length), oneMaySuffice: providers.length <= 2 };
  const candidates = (block = 0): Provider<L>[] => {
    const ranked = providers.toSorted((a, b) => a.latencyMs - b.latencyMs);
    const usable = ranked.filter((provider) => provider.isUsable);
    const enough = usable.length >= (quorum.oneMaySuffice ? 1 : quorum.votes);
    const asked = enough ? usable : [...usable, ...ranked.filter((provider) => !provider.isUsable)];
    return asked.toSorted((a, b) => Number(lacks(a, block)) - Number(lacks(b, block)));
  };
  return { ...quorum, candidates, agree: (block, question) => poll(candidates(block), quorum, question) };
};

const lacks = <L extends Line>({ head }: Provider<L>, block: number): boolean => head !== undefined && head < block;
