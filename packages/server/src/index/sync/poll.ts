import { agree, type Verdict } from '../../chain/agreement.ts';
import type { Line, Provider } from '../../chain/provider.ts';
import { RpcError, reasonOf } from '../../chain/wire.ts';
import { DisagreementError } from './DisagreementError.ts';
import { UnknownBlockError } from './UnknownBlockError.ts';

/** Too few providers know the requested block: the others lag. Asking again helps. */
export class LagError extends Error {
  constructor(about: string) {
    super(`too few providers know ${about} yet`);
    this.name = 'LagError';
  }
}

/** No provider of the chain answered, or fewer answered than have to agree. */
export class ProvidersDownError extends Error {
  constructor(cause: unknown, message = 'no provider answers') {
    super(`${message}: ${reasonOf(cause)}`, { cause });
    this.name = 'ProvidersDownError';
  }
}

export interface Question<L extends Line, T> {
  /** Description of the question for log lines. */
  about: string;
  ask(line: L): Promise<T>;
  same(one: T, other: T): boolean;
  /** Whether an answer neither supports nor contradicts another. */
  isEmpty?(answer: T): boolean;
  /** Merges two equal answers into one. */
  merge?(one: T, other: T): T;
}

/**
 * When a provider takes this many times its usual time, and at least this many milliseconds, one more provider is
 * asked.
 */
const hedge = { times: 4, leastMs: 250 };

/**
 * Asks as many candidates, in their order, as it takes until enough of them say the same.
 *
 * @param votes - So many have to.
 * @param oneMaySuffice - Whether one alone is believed when no other answers, not even with a refusal.
 * @throws DisagreementError, LagError, ProvidersDownError; a refusal (RpcError) or UnknownBlockError when that is what
 *   keeps the answers too few.
 */
export const poll = async <L extends Line, T>(
  candidates: readonly Provider<L>[],
  { votes, oneMaySuffice }: { votes: number; oneMaySuffice: boolean },
  question: Question<L, T>,
): Promise<T> => {
  const { about, ask, same, isEmpty, merge = (one) => one } = question;
  const usualMs = candidates[votes - 1]?.latencyMs ?? 0;
  const lateMs = Math.max(hedge.leastMs, hedge.times * usualMs);
  const verdict = await agree(candidates, (provider) => provider.ask(ask), { same, isEmpty, lateMs });
  switch (verdict.type) {
    case 'agreed':
      for (const provider of verdict.against) provider.outvoted(about);
      return verdict.answers.reduce(merge);
    case 'split':
      throw new DisagreementError(
        about,
        verdict.providers.map(({ name }) => name),
      );
    default:
      return tooFew(verdict, about, oneMaySuffice);
  }
};

type TooFew<L extends Line, T> = Extract<Verdict<Provider<L>, T>, { type: 'alone' | 'silent' }>;

const tooFew = <L extends Line, T>(verdict: TooFew<L, T>, about: string, oneMaySuffice: boolean): T => {
  const { empty, reasons } = verdict;
  const refusal = reasons.findLast((reason) => reason instanceof RpcError);
  if (refusal !== undefined) throw refusal;
  const unknown = reasons.findLast((reason) => reason instanceof UnknownBlockError);
  const failure = reasons.findLast((reason) => reason !== unknown);
  if (verdict.type === 'alone') {
    if (empty.length > 0 || unknown !== undefined) throw new LagError(about);
    if (oneMaySuffice) return verdict.answer;
    throw new ProvidersDownError(failure, `only ${verdict.provider.name} answers`);
  }
  const [nothing] = empty;
  if (nothing !== undefined) return nothing;
  throw unknown ?? new ProvidersDownError(failure);
};
