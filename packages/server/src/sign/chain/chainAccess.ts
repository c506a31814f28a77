import type { Chain, Deployment } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { agree, agreeAtHead, type Verdict } from '../../chain/agreement.ts';
import { isRevert, revertDataOf } from '../../chain/evm/revert.ts';
import { type RpcCall, RpcError, reasonOf } from '../../chain/wire.ts';
import type { Log } from '../../log.ts';
import { type GasPolicy, gasPolicyOf } from '../gas/gasPolicy.ts';
import { Provider } from './provider.ts';

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

/** Asks one provider. */
export type Question<T> = (read: Read) => Promise<T>;
/** @param at - A block in hex, or `latest`. */
export type QuestionAt<T> = (read: Read, at: `0x${string}` | 'latest') => Promise<T>;
type Read = (calls: readonly RpcCall[]) => Promise<unknown[]>;

/** Honest providers hear of a block within so long of each other. */
const headsApartMs = 2_000;

/** One chain as its providers show it. */
export class ChainAccess {
  readonly slug: string;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly finalityBlocks: number;
  readonly gas: GasPolicy;
  readonly #providers: readonly Provider[];
  /** Heads of honest providers are at most so many blocks apart. */
  readonly #mostApart: number;
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
    this.#mostApart = Math.max(2, Math.ceil(headsApartMs / (chain.blockTimeMs ?? 1_000)));
  }

  /** Of the first provider that answers: one word, for what is proved otherwise or costs nothing. @throws RpcError when a call reverts or all refuse, ChainDownError when none answers. */
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
   * What two providers say alike, where there are two. A call that reverts is an answer too.
   *
   * @param question - Its answer is compared as JSON.
   * @throws RpcError when two say that the call reverts, or all refuse; ChainDownError when too few answer, or no two alike.
   */
  async readAgreed<T>(question: Question<T>): Promise<T> {
    const ask = async (provider: Provider): Promise<Heard<T>> => {
      try {
        return { answer: await question((calls) => provider.read(calls)) };
      } catch (error) {
        if (error instanceof RpcError && isRevert(error)) return { revert: error };
        throw error;
      }
    };
    const heard = this.#decide(await agree(this.#inOrder(), ask, { same: areAlike }));
    if ('revert' in heard) throw heard.revert;
    return heard.answer;
  }

  /**
   * As `readAgreed`, of the newest block that two providers have.
   *
   * @param question - Says in `block` which one its answer is of; it must not revert.
   */
  async readAtHead<T extends { block: number }>(question: QuestionAt<T>): Promise<T> {
    const ask = (provider: Provider, at: number | 'latest') =>
      question((calls) => provider.read(calls), at === 'latest' ? at : numberToHex(at));
    return this.#decide(await agreeAtHead(this.#inOrder(), ask, { mostApart: this.#mostApart }));
  }

  #decide<T>(verdict: Verdict<Provider, T>): T {
    switch (verdict.type) {
      case 'agreed':
        for (const provider of verdict.against) provider.rest();
        return verdict.answers[0];
      case 'split':
        // Whoever was asked first may be the one that is wrong: let another be asked first.
        verdict.providers[0]?.rest();
        throw new ChainDownError(this.slug, 'its providers contradict each other');
      case 'alone':
        throw new ChainDownError(this.slug, 'only one provider answers, and two have to say the same');
      case 'silent':
        for (const reason of verdict.reasons) if (reason instanceof RpcError) throw reason;
        throw new ChainDownError(this.slug, `no provider answers: ${reasonOf(verdict.reasons.at(-1))}`);
    }
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

type Heard<T> = { answer: T } | { revert: RpcError };

/** Two reverts are alike when their data is; the words beside it are each provider's own. */
const areAlike = <T>(one: Heard<T>, other: Heard<T>): boolean => textOf(one) === textOf(other);
const textOf = <T>(heard: Heard<T>): string =>
  'revert' in heard ? `revert ${revertDataOf(heard.revert) ?? ''}` : JSON.stringify(heard);

/** The very same bytes are in the pool or in a block already. */
const isKnown = ({ message }: RpcError): boolean => /already known|already imported|known transaction/i.test(message);
