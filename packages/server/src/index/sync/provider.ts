import { RpcError, reasonOf, ThrottledError } from '../../chain/wire.ts';
import type { Header } from './changes.ts';
import { type ChainSource, UnknownBlockError } from './source.ts';

/** What a provider says about itself; pino's loggers have this form. */
export interface ProviderLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A provider that failed, or does not follow the chain, is left alone for this long and then asked once. */
const circuitOpenMs = 30_000;
/** One that others outvote is left alone for as long, doubled with each time up to the longest. */
const longestAsideMs = 600_000;
/** A request waits for a throttled provider at most this long. */
const longestWaitMs = 2_000;
const checkChainMs = 60_000;

/** One of a chain's providers, with what we know of its health. */
export class Provider {
  /** Host and port: the rest of an address may be a key. */
  readonly name: string;
  readonly #source: ChainSource;
  readonly #chainId: number;
  readonly #log: ProviderLog;
  #head: Header | undefined;
  #headRoseAt = 0;
  #failedUntil = 0;
  #outvotedUntil = 0;
  #throttledUntil = 0;
  #throttles = 0;
  #outvotes = 0;
  #failed = false;
  #latencyMs = 100;
  #checkedAt: number | undefined;

  constructor(name: string, source: ChainSource, chainId: number, log: ProviderLog) {
    this.name = name;
    this.#source = source;
    this.#chainId = chainId;
    this.#log = log;
  }

  /** False while it is left alone. */
  get isUsable(): boolean {
    return Math.max(this.#failedUntil, this.#outvotedUntil) <= performance.now();
  }

  get hasWholeBlocks(): boolean {
    return this.#source.wholeBlocks !== undefined;
  }

  /** What it showed as its newest block when it was last asked; undefined before, and after a failure. */
  get head(): Header | undefined {
    return this.#head;
  }

  /** How long its next answer will take, milliseconds: about as long as the last few. */
  get latencyMs(): number {
    return this.#latencyMs + Math.max(0, this.#throttledUntil - performance.now());
  }

  /**
   * Asks, and learns from how it went. Once a minute the provider first has to name its chain.
   *
   * @throws RpcError and UnknownBlockError, which are answers; after any other error the provider is left alone.
   */
  async ask<T>(question: (source: ChainSource) => Promise<T>): Promise<T> {
    const patienceMs = this.#throttledUntil - performance.now();
    if (patienceMs > longestWaitMs) throw new ThrottledError();
    if (patienceMs > 0) await new Promise((resolve) => setTimeout(resolve, patienceMs));
    const began = performance.now();
    try {
      await this.#checkChain();
      const answer = await question(this.#source);
      this.#answered(began);
      return answer;
    } catch (error) {
      if (error instanceof RpcError || error instanceof UnknownBlockError) this.#answered(began);
      else if (error instanceof ThrottledError) this.#slowDown(error.waitMs);
      else this.#fail(error as Error);
      throw error;
    }
  }

  async askHead(): Promise<void> {
    const head = await this.ask((source) => source.head());
    if (this.#head === undefined || head.number > this.#head.number) this.#headRoseAt = performance.now();
    this.#head = head;
  }

  /** Leaves it alone when others went on to `best` while it stood still for as long as a circuit is open. */
  noticeStandstill(best: number): void {
    if (this.#head === undefined || this.#head.number >= best) return;
    if (performance.now() - this.#headRoseAt < circuitOpenMs) return;
    this.#fail(new Error(`it stands at block ${this.#head.number} while another shows ${best}`));
  }

  /** Two others said something else. */
  outvoted(about: string): void {
    const forMs = Math.min(longestAsideMs, circuitOpenMs * 2 ** this.#outvotes);
    this.#outvotes += 1;
    this.#outvotedUntil = performance.now() + forMs;
    this.#log.error({ provider: this.name, about, forMs }, 'a provider is outvoted and left alone');
  }

  async #checkChain(): Promise<void> {
    if (this.#checkedAt !== undefined && performance.now() - this.#checkedAt < checkChainMs) return;
    const chainId = await this.#source.chainId();
    if (chainId !== this.#chainId) throw new Error(`${this.name} serves chain ${chainId}, not ${this.#chainId}`);
    this.#checkedAt = performance.now();
  }

  #answered(began: number): void {
    this.#latencyMs = this.#latencyMs * 0.8 + (performance.now() - began) * 0.2;
    this.#throttles = 0;
    this.#failedUntil = 0;
    if (this.#failed) this.#log.info({ provider: this.name }, 'a provider answers again');
    this.#failed = false;
  }

  #fail(error: Error): void {
    this.#failedUntil = performance.now() + circuitOpenMs;
    this.#checkedAt = undefined;
    this.#head = undefined;
    if (!this.#failed) this.#log.warn({ provider: this.name, reason: reasonOf(error) }, 'a provider is left alone');
    this.#failed = true;
  }

  /** What it asks for, else 0.25 s doubled with each time up to 30 s; a random part more, so that not all return at once. */
  #slowDown(waitMs: number | undefined): void {
    const ms = waitMs ?? Math.min(30_000, 250 * 2 ** this.#throttles);
    this.#throttles += 1;
    this.#throttledUntil = performance.now() + ms * (1 + Math.random() / 2);
  }
}
