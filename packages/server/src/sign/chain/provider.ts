import { type RpcCall, RpcError, reasonOf, Wire } from '../../chain/wire.ts';
import type { Log } from '../../log.ts';

const readTimeoutMs = 2_000;
const sendTimeoutMs = 5_000;
/** A provider that failed is asked last for this long. */
const restMs = 30_000;
const checkChainMs = 60_000;

/** One of a chain's providers. It is used only while it names the right chain, which it is asked once a minute. */
export class Provider {
  /** Host and port: the rest of an address may be a key. */
  readonly name: string;
  readonly #wire: Wire;
  readonly #chainId: number;
  readonly #log: Log;
  #checkedAt: number | undefined;
  #restUntil = 0;

  constructor(url: string, chainId: number, log: Log) {
    this.name = new URL(url).host;
    this.#wire = new Wire(url);
    this.#chainId = chainId;
    this.#log = log;
  }

  /** It failed lately: others are asked first. */
  get isResting(): boolean {
    return performance.now() < this.#restUntil;
  }

  /** Asked last from now on, for a while: others say something else. */
  rest(): void {
    this.#restUntil = performance.now() + restMs;
  }

  /** @throws RpcError, which is an answer; any other error when it does not answer, or serves another chain. */
  read(calls: readonly RpcCall[]): Promise<unknown[]> {
    return this.#ask(calls, readTimeoutMs);
  }

  /** Any other error than RpcError leaves unknown whether the bytes arrived. */
  async send(raw: string): Promise<void> {
    await this.#ask([{ method: 'eth_sendRawTransaction', params: [raw] }], sendTimeoutMs);
  }

  async #ask(calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    try {
      await this.#checkChain();
      const results = await this.#wire.batch(calls, timeoutMs);
      this.#answered();
      return results;
    } catch (error) {
      if (error instanceof RpcError) this.#answered();
      else this.#failed(error);
      throw error;
    }
  }

  async #checkChain(): Promise<void> {
    if (this.#checkedAt !== undefined && performance.now() - this.#checkedAt < checkChainMs) return;
    const answer = await this.#wire.request({ method: 'eth_chainId', params: [] }, readTimeoutMs);
    if (Number(answer) !== this.#chainId)
      throw new Error(`${this.name} serves chain ${Number(answer)}, not ${this.#chainId}`);
    this.#checkedAt = performance.now();
  }

  #answered(): void {
    if (this.#restUntil > 0 && !this.isResting) {
      this.#restUntil = 0;
      this.#log.info({ provider: this.name }, 'a provider answers again');
    }
  }

  #failed(error: unknown): void {
    if (this.#restUntil === 0) this.#log.warn({ provider: this.name, reason: reasonOf(error) }, 'a provider fails');
    this.#restUntil = performance.now() + restMs;
    this.#checkedAt = undefined;
  }
}
