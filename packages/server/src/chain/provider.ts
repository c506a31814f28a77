import type { Log } from '../log.ts';
import { RpcError, reasonOf, ThrottledError } from './wire.ts';

/** Says of each line which chain it is about. */
export const logOfChain = (log: Log, chain: string): Log => ({
  info: (fields, message) => log.info({ chain, ...fields }, message),
  warn: (fields, message) => log.warn({ chain, ...fields }, message),
  error: (fields, message) => log.error({ chain, ...fields }, message),
});

/** What a provider says that its chain is: an EIP-155 id, or what the chain's family has in its place. */
export type ChainIdentity = number | string;

/** How a provider is asked: by JSON-RPC calls, or by what a service makes of them. */
export interface Line {
  identity(): Promise<ChainIdentity>;
}

export interface ProviderOptions<L extends Line> {
  /** Host and port for log lines: the rest of an address may contain a key. */
  name: string;
  line: L;
  /** A provider of another chain is asked nothing else (threat W7). */
  identity: ChainIdentity;
  log: Log;
  /** Errors that say something about the question: whoever answers so is well. Absent: every refusal. */
  isAnswer?: (error: unknown) => boolean;
}

/** How long a provider that failed or fell behind the chain is not asked, milliseconds; then it is tried once. */
const restMs = 30_000;
/** Longest time that an outvoted provider is not asked, milliseconds; it doubles each time up to this. */
const longestAsideMs = 600_000;
/** A question waits for a throttled provider at most this long. */
const longestWaitMs = 2_000;
const checkChainMs = 60_000;

/**
 * One of a chain's providers, with what we know of its health: whether it serves the right chain, failed, was outvoted, asks
 * for patience, how fast it answers and how far it is.
 */
export class Provider<L extends Line> {
  readonly name: string;
  readonly #line: L;
  readonly #identity: ChainIdentity;
  readonly #log: Log;
  readonly #isAnswer: (error: unknown) => boolean;
  #head: number | undefined;
  #headRoseAt = 0;
  #failedUntil = 0;
  #outvotedUntil = 0;
  #throttledUntil = 0;
  #throttledAt = Number.NEGATIVE_INFINITY;
  #throttles = 0;
  #outvotes = 0;
  #failed = false;
  #latencyMs = 100;
  #checkedAt: number | undefined;
  #checking: Promise<void> | undefined;

  constructor({ name, line, identity, log, isAnswer = isRefusal }: ProviderOptions<L>) {
    this.name = name;
    this.#line = line;
    this.#identity = identity;
    this.#log = log;
    this.#isAnswer = isAnswer;
  }

  /** False while it is not asked after a failure. */
  get isUsable(): boolean {
    return Math.max(this.#failedUntil, this.#outvotedUntil) <= performance.now();
  }

  /** How long it asks us to wait, milliseconds; 0 for at once. */
  get waitMs(): number {
    return Math.max(0, this.#throttledUntil - performance.now());
  }

  /** How long its next answer will take, milliseconds: about as long as the last few. */
  get latencyMs(): number {
    return this.#latencyMs + this.waitMs;
  }

  /** The newest block that it showed when it was last asked; undefined before, and after a failure. */
  get head(): number | undefined {
    return this.#head;
  }

  offers(question: keyof L): boolean {
    return this.#line[question] !== undefined;
  }

  /**
   * Asks, and learns from how it went. Once a minute the provider first has to name its chain.
   *
   * @throws What the question throws: after an error that is no answer the provider is left alone. ThrottledError.
   */
  ask<T>(question: (line: L) => Promise<T>): Promise<T> {
    return this.#learn(async () => {
      if (this.#checkedAt === undefined || performance.now() - this.#checkedAt >= checkChainMs)
        await this.#checkChain();
      return question(this.#line);
    });
  }

  /** Has it name its chain now. @throws Error when it does not, or names another. */
  check(): Promise<void> {
    return this.#learn(() => this.#checkChain());
  }

  /** It showed this as its newest block. */
  sawHead(block: number): void {
    if (this.#head === undefined || block > this.#head) this.#headRoseAt = performance.now();
    this.#head = block;
  }

  /** Leaves it alone when others went on to `best` while it stood still for as long as a failed one rests. */
  noticeStandstill(best: number): void {
    if (this.#head === undefined || this.#head >= best) return;
    if (performance.now() - this.#headRoseAt < restMs) return;
    this.#fail(new Error(`it stands at block ${this.#head} while another shows ${best}`));
  }

  /** Two others said something else. What was asked at the same time counts once. */
  outvoted(about: string): void {
    if (this.#outvotedUntil > performance.now()) return;
    const forMs = Math.min(longestAsideMs, restMs * 2 ** this.#outvotes);
    this.#outvotes += 1;
    this.#outvotedUntil = performance.now() + forMs;
    this.#log.error({ provider: this.name, about, forMs }, 'a provider is outvoted and left alone');
  }

  /** It and another contradict each other, and nobody decides: others are asked first for a while. */
  doubted(): void {
    this.#outvotedUntil = Math.max(this.#outvotedUntil, performance.now() + restMs);
  }

  async #learn<T>(work: () => Promise<T>): Promise<T> {
    const patienceMs = this.waitMs;
    if (patienceMs > longestWaitMs) throw new ThrottledError();
    if (patienceMs > 0) await new Promise((resolve) => setTimeout(resolve, patienceMs));
    const began = performance.now();
    try {
      const answer = await work();
      this.#answered(began);
      return answer;
    } catch (error) {
      if (error instanceof ThrottledError) this.#slowDown(began, error.waitMs);
      else if (this.#isAnswer(error)) this.#answered(began);
      else this.#fail(error);
      throw error;
    }
  }

  /** Questions that come at the same time share one check. */
  #checkChain(): Promise<void> {
    this.#checking ??= this.#askChain().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #askChain(): Promise<void> {
    const identity = await this.#line.identity().catch((error: unknown) => {
      throw error instanceof RpcError ? new Error(`${this.name} does not name its chain`, { cause: error }) : error;
    });
    if (identity !== this.#identity) throw new Error(`${this.name} serves chain ${identity}, not ${this.#identity}`);
    this.#checkedAt = performance.now();
  }

  #answered(began: number): void {
    this.#latencyMs = this.#latencyMs * 0.8 + (performance.now() - began) * 0.2;
    this.#throttles = 0;
    this.#failedUntil = 0;
    if (this.#failed) this.#log.info({ provider: this.name }, 'a provider answers again');
    this.#failed = false;
  }

  #fail(error: unknown): void {
    this.#failedUntil = performance.now() + restMs;
    this.#checkedAt = undefined;
    this.#head = undefined;
    if (!this.#failed) this.#log.warn({ provider: this.name, reason: reasonOf(error) }, 'a provider is left alone');
    this.#failed = true;
  }

  /**
   * What it asks for, else 0.25 s doubled with each time up to 30 s; a random part more, so that not all return at once.
   * Questions that were under way already when it first asked for patience tell nothing new.
   */
  #slowDown(began: number, waitMs: number | undefined): void {
    if (began <= this.#throttledAt) return;
    const ms = Math.min(restMs, waitMs ?? 250 * 2 ** this.#throttles);
    this.#throttles += 1;
    this.#throttledAt = performance.now();
    this.#throttledUntil = this.#throttledAt + ms * (1 + Math.random() / 2);
  }
}

const isRefusal = (error: unknown): boolean => error instanceof RpcError;
