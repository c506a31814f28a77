import { RpcError, reasonOf } from '../../chain/wire.ts';
import type { Provider } from './provider.ts';
import { type ChainSource, UnknownBlockError } from './source.ts';

/** Providers contradict each other, and no answer has enough of them behind it. */
export class DisagreementError extends Error {
  constructor(about: string, names: readonly string[]) {
    super(`providers disagree about ${about}: ${names.join(', ')}`);
    this.name = 'DisagreementError';
  }
}

/** Fewer providers than have to agree know what was asked: the others lag. Asking again helps. */
export class LagError extends Error {
  constructor(about: string) {
    super(`too few providers know ${about} yet`);
    this.name = 'LagError';
  }
}

/** No provider of the chain answered, or fewer than have to agree. */
export class ProvidersDownError extends Error {
  constructor(cause: unknown, message = 'no provider answers') {
    super(`${message}: ${reasonOf(cause)}`, { cause });
    this.name = 'ProvidersDownError';
  }
}

export interface Question<T> {
  /** What it is about, for people. */
  about: string;
  ask(source: ChainSource): Promise<T>;
  same(one: T, other: T): boolean;
  /** An answer that says nothing for or against another one. */
  isSilent?(answer: T): boolean;
  /** One answer from two that are the same. */
  merge?(one: T, other: T): T;
}

/** How many have to say the same. */
export interface Quorum {
  votes: number;
  /** Whether one alone is believed when no other answers, not even with a refusal. */
  oneMaySuffice: boolean;
}

/** A provider that takes this many times its usual time, and at least as many milliseconds, gets company once. */
const hedge = { times: 4, leastMs: 250 };

/**
 * Asks as many candidates, in their order, as it takes until enough of them say the same.
 *
 * @throws DisagreementError, LagError, ProvidersDownError; a refusal (RpcError) or UnknownBlockError when that is what
 *   keeps the answers too few.
 */
export const poll = <T>(candidates: readonly Provider[], quorum: Quorum, question: Question<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const waiting = [...candidates];
    const heard = new Hearing(question);
    let running = 0;
    let isDone = false;

    const start = (): void => {
      const provider = waiting.shift();
      if (provider === undefined) return;
      running += 1;
      void heard.listen(provider).then(() => {
        running -= 1;
        goOn();
      });
    };
    const goOn = (): void => {
      if (isDone) return;
      while (waiting.length > 0 && running + heard.mostVotes < quorum.votes) start();
      if (running > 0 && heard.mostVotes < quorum.votes) return;
      isDone = true;
      clearTimeout(late);
      try {
        resolve(heard.verdict(quorum));
      } catch (error) {
        reject(error as Error);
      }
    };
    const usualMs = candidates[quorum.votes - 1]?.latencyMs ?? 0;
    const late = setTimeout(start, Math.max(hedge.leastMs, hedge.times * usualMs));
    goOn();
  });

/** What the asked providers said. */
class Hearing<T> {
  readonly #question: Question<T>;
  readonly #votes: { answer: T; voters: Provider[] }[] = [];
  #silent: { answer: T } | undefined;
  #refusal: RpcError | undefined;
  #unknown: UnknownBlockError | undefined;
  #failure: unknown;

  constructor(question: Question<T>) {
    this.#question = question;
  }

  get mostVotes(): number {
    return Math.max(0, ...this.#votes.map(({ voters }) => voters.length));
  }

  async listen(provider: Provider): Promise<void> {
    try {
      this.#hear(provider, await provider.ask(this.#question.ask));
    } catch (error) {
      if (error instanceof RpcError) this.#refusal = error;
      else if (error instanceof UnknownBlockError) this.#unknown = error;
      else this.#failure = error;
    }
  }

  #hear(provider: Provider, answer: T): void {
    const { same, isSilent, merge } = this.#question;
    if (isSilent?.(answer)) {
      this.#silent = { answer };
      return;
    }
    const vote = this.#votes.find((one) => same(one.answer, answer));
    if (vote === undefined) {
      this.#votes.push({ answer, voters: [provider] });
      return;
    }
    if (merge !== undefined) vote.answer = merge(vote.answer, answer);
    vote.voters.push(provider);
  }

  verdict({ votes, oneMaySuffice }: Quorum): T {
    const { about } = this.#question;
    const agreed = this.#votes.find(({ voters }) => voters.length >= votes);
    if (agreed !== undefined) {
      const others = this.#votes.filter((vote) => vote !== agreed);
      for (const provider of others.flatMap(({ voters }) => voters)) provider.outvoted(about);
      return agreed.answer;
    }
    if (this.#votes.length > 1) {
      const voters = this.#votes.flatMap((vote) => vote.voters);
      throw new DisagreementError(
        about,
        voters.map(({ name }) => name),
      );
    }
    if (this.#refusal !== undefined) throw this.#refusal;
    const only = this.#votes[0];
    if (only !== undefined) {
      if (this.#silent !== undefined || this.#unknown !== undefined) throw new LagError(about);
      if (oneMaySuffice) return only.answer;
      throw new ProvidersDownError(this.#failure, `only ${only.voters[0]?.name} answers`);
    }
    if (this.#silent !== undefined) return this.#silent.answer;
    if (this.#unknown !== undefined) throw this.#unknown;
    throw new ProvidersDownError(this.#failure);
  }
}
