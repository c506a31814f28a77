import type { Chain, Deployment } from '@mintage/protocol';
import { type GasPolicy, gasPolicyOf } from '../gas/gasPolicy.ts';
import type { Log } from '../log.ts';
import { Provider } from './provider.ts';
import { isRevert, type RpcCall, RpcError, reasonOf } from './rpc.ts';

export interface ServedChain {
  chain: Chain;
  deployment: Deployment;
  /** Providers over HTTP; two that do not depend on each other have to agree about money, and a third may be down. */
  rpcUrls: readonly string[];
  /** Overrides the chain's own: blocks below the head that are never expected to be reorganised. */
  finalityBlocks?: number | null;
}

const defaultFinalityBlocks = 64;

/** Too few providers answer, or those that do contradict each other: whoever asked waits and asks again. */
export class ChainDownError extends Error {
  constructor(slug: string, why: string) {
    super(`${slug}: ${why}`);
    this.name = 'ChainDownError';
  }
}

/** Asks one provider; `null` says that it cannot tell yet. */
export type Question<T> = (read: (calls: readonly RpcCall[]) => Promise<unknown[]>) => Promise<T>;

/** One chain as its providers show it. */
export class ChainAccess {
  readonly slug: string;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly finalityBlocks: number;
  readonly gas: GasPolicy;
  readonly #providers: readonly Provider[];
  /** So many have to say the same about money. */
  readonly #quorum: number;
  #turn = 0;

  constructor({ chain, deployment, rpcUrls, finalityBlocks }: ServedChain, log: Log) {
    if (chain.chainId === null || chain.chainId !== deployment.chainId)
      throw new Error(`The deployment on chain ${deployment.chainId} is not one on ${chain.slug}.`);
    const urls = rpcUrls.filter((url) => !/^wss?:/.test(url));
    if (urls.length === 0) throw new Error(`No RPC address over HTTP for ${chain.slug}.`);
    this.slug = chain.slug;
    this.chainId = chain.chainId;
    this.deployment = deployment;
    this.finalityBlocks = finalityBlocks ?? chain.finalityBlocks ?? defaultFinalityBlocks;
    this.gas = gasPolicyOf(chain);
    const ofChain: Log = {
      info: (fields, message) => log.info({ chain: chain.slug, ...fields }, message),
      warn: (fields, message) => log.warn({ chain: chain.slug, ...fields }, message),
      error: (fields, message) => log.error({ chain: chain.slug, ...fields }, message),
    };
    this.#providers = urls.map((url) => new Provider(url, deployment.chainId, ofChain));
    this.#quorum = Math.min(2, urls.length);
  }

  /** Of the first provider that answers. @throws RpcError when a call reverts or all refuse, ChainDownError when none answers. */
  read(calls: readonly RpcCall[]): Promise<unknown[]> {
    return this.#readFrom(this.#inOrder(), calls);
  }

  /** As `read`, of another provider each time: whoever hides something does not hide it for long. */
  readInTurn(calls: readonly RpcCall[]): Promise<unknown[]> {
    const all = this.#inOrder();
    const healthy = Math.max(1, all.filter((provider) => !provider.isResting).length);
    this.#turn = (this.#turn + 1) % healthy;
    return this.#readFrom([...all.slice(this.#turn), ...all.slice(0, this.#turn)], calls);
  }

  async #readFrom(providers: readonly Provider[], calls: readonly RpcCall[]): Promise<unknown[]> {
    let reason: unknown;
    for (const provider of providers) {
      try {
        return await provider.read(calls);
      } catch (error) {
        if (error instanceof RpcError && isRevert(error)) throw error;
        reason = error;
      }
    }
    if (reason instanceof RpcError) throw reason;
    throw new ChainDownError(this.slug, `no provider answers: ${reasonOf(reason)}`);
  }

  /**
   * What two providers say alike, where there are two.
   *
   * @param question - Its answer is compared as JSON.
   * @throws ChainDownError when too few answer, or no two alike.
   */
  async readAgreed<T>(question: Question<T>): Promise<T> {
    const said: { provider: Provider; text: string; answer: T }[] = [];
    let reason: unknown = new Error('they contradict each other');
    for (const provider of this.#inOrder()) {
      try {
        const answer = await question((calls) => provider.read(calls));
        said.push({ provider, text: JSON.stringify(answer), answer });
      } catch (error) {
        reason = error;
      }
      for (const { text, answer } of said) {
        const alike = said.filter((one) => one.text === text);
        if (alike.length < this.#quorum) continue;
        for (const other of said) if (other.text !== text) other.provider.rest();
        return answer;
      }
    }
    // Whoever was asked first may be the one that is wrong: let another be asked first.
    if (said.length > 1) said[0]?.provider.rest();
    throw new ChainDownError(this.slug, `fewer than ${this.#quorum} providers agree: ${reasonOf(reason)}`);
  }

  /**
   * Sends the bytes to every provider.
   *
   * @returns 'accepted' once one took them; 'unknown' when none did and one may have, because it did not answer.
   * @throws RpcError when every provider that answered refused, and all of them answered.
   */
  async send(raw: string): Promise<'accepted' | 'unknown'> {
    const sending = this.#providers.map((provider) =>
      provider.send(raw).catch((error: unknown) => {
        if (error instanceof RpcError && isKnown(error)) return;
        throw error;
      }),
    );
    try {
      await Promise.any(sending);
      return 'accepted';
    } catch (error) {
      const reasons = (error as AggregateError).errors as unknown[];
      if (reasons.every((reason) => reason instanceof RpcError)) throw reasons[0];
      return 'unknown';
    }
  }

  /** Those that failed lately are asked last, in the order of configuration otherwise. */
  #inOrder(): Provider[] {
    return this.#providers.toSorted((a, b) => Number(a.isResting) - Number(b.isResting));
  }
}

/** The very same bytes are in the pool or in a block already. */
const isKnown = ({ message }: RpcError): boolean => /already known|already imported|known transaction/i.test(message);
