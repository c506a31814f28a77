import { setTimeout as sleep } from 'node:timers/promises';
import { MintageError } from '@mintage/protocol';
import { numberToHex } from 'viem';
import { envName } from '../environment.ts';
import { agree, agreeAtHead, type Verdict } from './agreement.ts';
import { isRevert, revertDataOf } from './evm/revert.ts';
import { RpcError, Wire } from './wire.ts';

/** A JSON-RPC client of one chain, over one or several providers. */
export interface Rpc {
  /** False while no provider has answered since the last failure of all of them. */
  readonly up: boolean;
  /**
   * Sends one request; a provider that fails or is silent for the timeout is passed over. The answer is one provider's
   * word: for what is only shown. What is signed, refused for good or told as a fact rests on `agreed` and `agreedAtHead`.
   *
   * @throws MintageError NETWORK_ERROR when no provider answers, RpcError when one answers with an error.
   */
  request: Request;
  /**
   * What two providers say alike, where two are configured.
   *
   * @param question - Asks one provider. A call that reverts is an answer too, and thrown as such once two agree.
   * @throws MintageError NETWORK_ERROR when no two say the same or fewer than two answer; RpcError when the call reverts,
   *   or all refuse it.
   */
  agreed<Answer>(question: Question<Answer>, options?: AgreedOptions<Answer>): Promise<Agreed<Answer>>;
  /** As `agreed`, of the newest block that two providers have; the answer says which one that is. */
  agreedAtHead<Answer extends { block: number }>(
    question: QuestionAt<Answer>,
    options?: Pick<AgreedOptions<Answer>, 'aloneWillDo'>,
  ): Promise<Agreed<Answer>>;
  /** Asks every provider for its chain id. @throws MintageError NETWORK_ERROR when none is of the right chain. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

export type Request = <Result = unknown>(method: string, params: readonly unknown[]) => Promise<Result>;
export type Question<Answer> = (request: Request) => Promise<Answer>;
/** @param at - A block in hex, or `latest`. */
export type QuestionAt<Answer> = (request: Request, at: `0x${string}` | 'latest') => Promise<Answer>;
type Same<Answer> = (one: Answer, other: Answer) => boolean;

export interface AgreedOptions<Answer> {
  /** Whether two answers say the same; as JSON when absent. */
  same?: Same<Answer>;
  /** One of several is believed while no other answers, and the answer says so: nothing is signed by it. */
  aloneWillDo?: boolean;
}

export interface Agreed<Answer> {
  /** The first that came. */
  answer: Answer;
  /** All that are alike; of figures that may differ a little, such as gas, one takes the largest. */
  answers: readonly Answer[];
  /** Several providers are configured, and only this one answers. */
  isAlone: boolean;
}

export interface RpcOptions {
  slug: string;
  /** A provider of another chain is never used again (threat W7). */
  chainId: number;
  /** In order of preference. */
  urls: readonly string[];
  /** Per provider; a read never waits longer than this times the number of providers. */
  timeoutMs?: number;
  /** As published; how far apart the heads of honest providers are depends on it. */
  blockTimeMs?: number | null;
}

/** Honest providers hear of a block within so long of each other. */
const headsApartMs = 2_000;
/** When two providers have to agree and take longer, a third is asked beside them. */
const lateMs = 400;
/** A provider that failed or contradicted two others is asked last for so long. */
const restMs = 30_000;

/** Errors that say "not me, not now" rather than anything about the request: the next provider is asked. */
const providerFaults = new Set([-32005, -32097, -32603, -32016, 429]);

interface Provider {
  wire: Wire;
  /** Undefined until it was asked. */
  rightChain: boolean | undefined;
  /** On the clock of `performance.now()`. */
  restsUntil: number;
}

export const createRpc = ({ slug, chainId, urls, timeoutMs = 2_000, blockTimeMs }: RpcOptions): Rpc => {
  if (urls.length === 0) throw new Error(`No RPC address for ${slug}: set RPC_URL_${envName(slug)}.`);
  const providers = urls.map((url): Provider => ({ wire: new Wire(url), rightChain: undefined, restsUntil: 0 }));
  const mostApart = Math.max(2, Math.ceil(headsApartMs / (blockTimeMs ?? 1_000)));
  let preferred = 0;
  let up = true;

  const ask = ({ wire }: Provider, method: string, params: readonly unknown[]): Promise<unknown> =>
    wire.request({ method, params }, timeoutMs);

  const checkChain = async (provider: Provider): Promise<void> => {
    const answered = Number(await ask(provider, 'eth_chainId', []));
    provider.rightChain = answered === chainId;
    if (!provider.rightChain) throw new Error(`${slug}: a provider serves chain ${answered}, not ${chainId}`);
  };

  const down = (cause: unknown): MintageError => {
    up = false;
    return new MintageError('NETWORK_ERROR', `The chain ${slug} is down: none of its providers answers.`, { cause });
  };

  /** @throws RpcError when it answers so, any other error when it does not answer or is of another chain. */
  const askChecked = async (provider: Provider, method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      if (!provider.rightChain) await checkChain(provider);
      const result = await ask(provider, method, params);
      up = true;
      return result;
    } catch (error) {
      if (error instanceof RpcError && !isProviderFault(error)) up = true;
      else provider.restsUntil = performance.now() + restMs;
      throw error;
    }
  };

  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    let cause: unknown;
    for (let turn = 0; turn < providers.length; turn += 1) {
      const index = (preferred + turn) % providers.length;
      try {
        const result = await askChecked(providers[index] as Provider, method, params);
        preferred = index;
        return result;
      } catch (error) {
        if (error instanceof RpcError && !isProviderFault(error)) throw error;
        cause = error;
      }
    }
    throw down(cause);
  };

  /** Those that failed lately are asked last, in the order of configuration otherwise. */
  const inOrder = (): Provider[] => {
    const now = performance.now();
    return providers.toSorted((a, b) => Number(a.restsUntil > now) - Number(b.restsUntil > now));
  };

  const of = (provider: Provider): Request => ((method, params) => askChecked(provider, method, params)) as Request;

  const decide = <Answer>(verdict: Verdict<Provider, Heard<Answer>>, aloneWillDo: boolean): Agreed<Answer> => {
    switch (verdict.type) {
      case 'silent': {
        const refusal = verdict.reasons.find(
          (reason) => reason instanceof MintageError || (reason instanceof RpcError && !isProviderFault(reason)),
        );
        throw refusal ?? down(verdict.reasons.at(-1));
      }
      case 'split':
        throw new MintageError(
          'NETWORK_ERROR',
          `The providers of ${slug} contradict each other now, so nothing is said or done by what they say: try again.`,
        );
      case 'alone':
        if (aloneWillDo) return open([verdict.answer], true);
        throw new MintageError(
          'NETWORK_ERROR',
          `Only one provider of ${slug} answers now, and two have to say the same: try again.`,
        );
      case 'agreed':
        for (const provider of verdict.against) provider.restsUntil = performance.now() + restMs;
        return open(verdict.answers, false);
    }
  };

  const agreed: Rpc['agreed'] = async (question, { same = sameJson, aloneWillDo = false } = {}) => {
    const [late, isOver] = lateAfter(lateMs);
    const asked = agree(inOrder(), (provider) => hear(question(of(provider))), { same: alike(same), late });
    return decide(await asked.finally(isOver), aloneWillDo);
  };

  const agreedAtHead: Rpc['agreedAtHead'] = async (question, { aloneWillDo = false } = {}) => {
    const [late, isOver] = lateAfter(lateMs);
    // A question at the head is one that does not revert: nobody would say at which block it does.
    const ask = async (provider: Provider, at: number | 'latest') => {
      const answer = await question(of(provider), at === 'latest' ? at : numberToHex(at));
      return { answer, block: answer.block };
    };
    const asked = agreeAtHead(inOrder(), ask, { mostApart, late });
    return decide(await asked.finally(isOver), aloneWillDo);
  };

  return {
    get up() {
      return up;
    },
    request: request as Request,
    agreed,
    agreedAtHead,
    async check() {
      await Promise.all(
        providers.map(async (provider) => {
          // Whatever it answers is kept in the provider; a silent one is found by the next request.
          await checkChain(provider).catch(() => undefined);
        }),
      );
      await request('eth_chainId', []);
    },
    async stop() {
      await Promise.all(providers.map(({ wire }) => wire.close()));
    },
  };
};

type Heard<T> = { answer: T } | { revert: RpcError };

/** A call that reverts is an answer, and two reverts are alike when their data is. */
const hear = async <Answer>(work: Promise<Answer>): Promise<Heard<Answer>> => {
  try {
    return { answer: await work };
  } catch (error) {
    if (error instanceof RpcError && isRevert(error)) return { revert: error };
    throw error;
  }
};
const alike =
  <Answer>(same: Same<Answer>): Same<Heard<Answer>> =>
  (one, other) => {
    if ('revert' in one || 'revert' in other)
      return 'revert' in one && 'revert' in other && revertDataOf(one.revert) === revertDataOf(other.revert);
    return same(one.answer, other.answer);
  };

const open = <Answer>(heard: readonly Heard<Answer>[], isAlone: boolean): Agreed<Answer> => {
  const answers = heard.map((one) => {
    if ('revert' in one) throw one.revert;
    return one.answer;
  });
  return { answer: answers[0] as Answer, answers, isAlone };
};

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** @returns What settles then, and what takes it back. */
const lateAfter = (ms: number): [Promise<void>, () => void] => {
  const over = new AbortController();
  return [sleep(ms, undefined, { signal: over.signal }), () => over.abort()];
};

/** -32603 is also what some nodes answer for a revert; revert data tells them apart. */
const isProviderFault = (error: RpcError): boolean =>
  providerFaults.has(error.code) && error.data === undefined && !/revert/i.test(error.message);
