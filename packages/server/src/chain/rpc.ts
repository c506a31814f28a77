import { isDeepStrictEqual } from 'node:util';
import { MintageError } from '@mintage/protocol';
import { envName } from '../environment.ts';
import type { Log } from '../log.ts';
import {
  type AgreementOptions,
  type At,
  agree,
  agreeAtHead,
  agreeNear,
  firstOf,
  type Verdict,
  votesNeeded,
} from './agreement.ts';
import { type ChainIdentity, type Line, logOfChain, Provider } from './provider.ts';
import { type Ask, type ResultsOf, type RpcCall, RpcError, Wire } from './wire.ts';

/**
 * One chain, over one or several providers. Each way to ask is a policy: `first` takes one provider's word, for what is only
 * shown, bounded or proved otherwise; `agreed` and `agreedAtHead` take what two say alike, for what is signed, refused for
 * good or told as a fact. docs/decisions/0037-agreement.md, 0039-one-chain-client.md
 */
export interface Rpc {
  /** False while no provider has answered since the last failure of all of them. */
  readonly up: boolean;
  /** As in `ChainClient`. */
  readonly providers: { configured: number; answering: number };
  /** One call, by the policy `first`. */
  request: Ask;
  /**
   * Of the first provider that answers: those that are well are asked in the order of configuration, the next when one fails
   * or is late.
   *
   * @throws RpcError when the question reverts, or all that answer refuse it; ChainDownError when no provider answers.
   */
  first<Answer>(question: Question<Answer>, options?: FirstOptions): Promise<Answer>;
  /**
   * What two providers say alike, where two are configured.
   *
   * @param question - Asks one provider. A call that reverts is an answer too, and thrown as such once two agree.
   * @throws ChainDownError when no two say the same or fewer than two answer; RpcError when the call reverts, or two refuse.
   */
  agreed<Answer>(question: Question<Answer>, options?: AgreedOptions<Answer>): Promise<Agreed<Answer>>;
  /**
   * As `agreed`, of the newest block that two providers have; the answer says which one that is. Where the family has no state of
   * older blocks, it is what two say alike at blocks close to each other, and the answer is that of the older one.
   *
   * @param question - It must not revert: nobody would say at which block it does.
   */
  agreedAtHead<Answer extends { block: number }>(
    question: QuestionAt<Answer>,
    options?: Pick<AgreedOptions<Answer>, 'aloneWillDo' | 'same'>,
  ): Promise<Agreed<Answer>>;
  /** Asks all providers at the same time; one promise each. */
  everyone<Answer>(question: Question<Answer>): Promise<Answer>[];
  /** Has every provider name its chain. @throws ChainDownError when none is of the right chain. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** One provider, as a question asks it. */
export interface Node extends Line {
  request: Ask;
  /** Several calls at once. */
  batch<const Calls extends readonly RpcCall[]>(calls: Calls): Promise<ResultsOf<Calls>>;
}

export type Question<Answer> = (node: Node) => Promise<Answer>;
export type QuestionAt<Answer> = (node: Node, at: At) => Promise<Answer>;

export interface FirstOptions {
  /**
   * Begins with another provider each time, so that whoever hides something does not hide it for long; waits for each, so that
   * a slow one has its turn too.
   */
  inTurn?: boolean;
  /** Stays with one provider while it answers, however slow it is: for questions that build on each other's answers. */
  stays?: boolean;
}

export interface AgreedOptions<Answer> extends Pick<AgreementOptions<Answer>, 'same'> {
  /**
   * Accept the answer of one provider while no other answers; the result says so in `isAlone`, and nothing is signed on
   * the strength of it.
   */
  aloneWillDo?: boolean;
}

export interface Agreed<Answer> {
  /** The first of the agreeing answers. */
  answer: Answer;
  /** All agreeing answers. Where figures may differ a little, such as gas, the caller takes the largest. */
  answers: readonly Answer[];
  /** Several providers are configured, and only this one answers. */
  isAlone: boolean;
}

/** Too few providers answer, or they contradict each other: the caller waits and asks again. */
export class ChainDownError extends MintageError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('NETWORK_ERROR', message, options);
    this.name = 'ChainDownError';
  }
}

/** What differs between families of chains that are asked by JSON-RPC. */
export interface RpcFamily {
  identity(): RpcCall<ChainIdentity>;
  /**
   * What a refusal says about the question, whoever is asked: the data that a call reverts with, empty when it has none.
   * Undefined for any other refusal, which may be the provider's own trouble.
   */
  revertOf(error: RpcError): string | undefined;
  /** What its providers tell of state is always their newest: a block that is named is the oldest that will do. */
  hasOnlyHead?: true;
}

export interface RpcOptions {
  family: RpcFamily;
  slug: string;
  /** A provider of another chain is never used (threat W7). */
  identity: ChainIdentity;
  /** In order of preference. Addresses over WebSocket only announce blocks: they are left out. */
  urls: readonly string[];
  /** Milliseconds per provider; a read never waits longer than this times the number of providers. */
  timeoutMs?: number;
  /**
   * Milliseconds between blocks, as the chain publishes it. Decides how far apart the heads of honest providers may be.
   */
  blockTimeMs?: number | null;
  /** Where the health of providers is told; absent: nowhere. */
  log?: Log;
}

/** Honest providers receive a block within this time of each other, milliseconds. */
const headsApartMs = 2_000;
/** When those that were asked take longer, one more is asked beside them. */
const lateMs = 400;

export const createRpc = (options: RpcOptions): Rpc => {
  const { family, slug, identity, timeoutMs = 2_000, blockTimeMs, log = silent } = options;
  const urls = options.urls.filter((url) => !isSocket(url));
  if (urls.length === 0) throw new Error(`No RPC address over HTTP for ${slug}: set RPC_URL_${envName(slug)}.`);
  const health = logOfChain(log, slug);
  const wires = urls.map((url) => new Wire(url));

  /** What a call reverts with; -32603 is also what some nodes answer for one. */
  const revertOf = (error: unknown): string | undefined =>
    error instanceof RpcError ? family.revertOf(error) : undefined;
  const isAnswer = (error: unknown): boolean =>
    error instanceof RpcError && (revertOf(error) !== undefined || !providerFaults.has(error.code));

  const providers = wires.map((wire, i) => {
    const name = new URL(urls[i] as string).host;
    return new Provider({ name, line: nodeOf(family, wire, timeoutMs), identity, log: health, isAnswer });
  });
  const mostApart = Math.max(2, Math.ceil(headsApartMs / (blockTimeMs ?? 1_000)));
  let up = true;
  let turn = 0;

  const ask = async <Answer>(provider: Provider<Node>, question: Question<Answer>): Promise<Answer> => {
    try {
      const answer = await provider.ask(question);
      up = true;
      return answer;
    } catch (error) {
      if (isAnswer(error)) up = true;
      throw error;
    }
  };

  const down = (cause: unknown): ChainDownError => {
    up = false;
    return new ChainDownError(`The chain ${slug} is down: none of its providers answers.`, { cause });
  };

  /** Those that are well come first, in the order of configuration. */
  const inOrder = (): Provider<Node>[] => providers.toSorted((a, b) => unfitness(a) - unfitness(b));

  const inTurnOrder = (): Provider<Node>[] => {
    const order = inOrder();
    turn = (turn + 1) % Math.max(1, order.filter((provider) => unfitness(provider) === 0).length);
    return [...order.slice(turn), ...order.slice(0, turn)];
  };

  const hear = async <Answer>(work: Promise<Answer>): Promise<Heard<Answer>> => {
    try {
      return { answer: await work };
    } catch (error) {
      const revert = revertOf(error);
      if (revert === undefined) throw error;
      return { revert, error: error as RpcError };
    }
  };

  const first: Rpc['first'] = async (question, { inTurn = false, stays = inTurn } = {}) => {
    const order = inTurn ? inTurnOrder() : inOrder();
    const { answer, reasons } = await firstOf(
      order,
      (provider) => hear(ask(provider, question)),
      stays ? undefined : lateMs,
    );
    if (answer !== undefined) return open([answer], false).answer;
    throw reasons.find(isAnswer) ?? down(reasons.at(-1));
  };

  const decide = <Answer>(verdict: Verdict<Provider<Node>, Heard<Answer>>, aloneWillDo: boolean): Agreed<Answer> => {
    switch (verdict.type) {
      case 'silent': {
        const refusals = verdict.reasons.filter((reason) => reason instanceof MintageError || isAnswer(reason));
        if (refusals.length >= (aloneWillDo ? 1 : votesNeeded(providers.length))) throw refusals[0];
        if (refusals.length === 0) throw down(verdict.reasons.at(-1));
        throw new ChainDownError(`Only one provider of ${slug} answers now, and two have to say the same: try again.`, {
          cause: refusals[0],
        });
      }
      case 'split':
        // The provider asked first may be the wrong one: another is asked first next time.
        verdict.providers[0]?.doubted();
        throw new ChainDownError(
          `The providers of ${slug} contradict each other now, so nothing is said or done by what they say: try again.`,
        );
      case 'alone':
        if (aloneWillDo) return open([verdict.answer], true);
        throw new ChainDownError(`Only one provider of ${slug} answers now, and two have to say the same: try again.`);
      case 'agreed':
        for (const provider of verdict.against) provider.outvoted(slug);
        return open(verdict.answers, false);
    }
  };

  const agreed: Rpc['agreed'] = async (question, { same = isDeepStrictEqual, aloneWillDo = false } = {}) => {
    const options = { same: alike(same), lateMs };
    return decide(await agree(inOrder(), (provider) => hear(ask(provider, question)), options), aloneWillDo);
  };

  const agreedAtHead: Rpc['agreedAtHead'] = async (
    question,
    { same = isDeepStrictEqual, aloneWillDo = false } = {},
  ) => {
    const at = async (provider: Provider<Node>, block: At) => {
      const answer = await ask(provider, (node) => question(node, block));
      return { answer, block: answer.block };
    };
    if (family.hasOnlyHead)
      return decide(await agreeNear(inOrder(), at, { mostApart, lateMs, same: alike(same) }), aloneWillDo);
    return decide(await agreeAtHead(inOrder(), at, { mostApart, lateMs, same: alike(same) }), aloneWillDo);
  };

  return {
    get up() {
      return up;
    },
    get providers() {
      return { configured: providers.length, answering: providers.filter(({ isUsable }) => isUsable).length };
    },
    request: (call, ownTimeoutMs) => first((node) => node.request(call, ownTimeoutMs)),
    first,
    agreed,
    agreedAtHead,
    everyone: (question) => providers.map((provider) => ask(provider, question)),
    async check() {
      const checks = await Promise.allSettled(providers.map((provider) => provider.check()));
      const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason] : []));
      if (failures.length === providers.length) throw down(failures.at(-1));
      up = true;
    },
    async stop() {
      await Promise.all(wires.map((wire) => wire.close()));
    },
  };
};

export const isSocket = (url: string): boolean => /^wss?:/.test(url);

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

const nodeOf = (family: RpcFamily, wire: Wire, timeoutMs: number): Node => ({
  identity: () => wire.request(family.identity(), timeoutMs),
  request: (call, ownTimeoutMs = timeoutMs) => wire.request(call, ownTimeoutMs),
  batch: (calls) => wire.batch(calls, timeoutMs),
});

/** 0: well; then those that ask for patience; last those that are left alone. */
const unfitness = (provider: Provider<Node>): number => (provider.isUsable ? Number(provider.waitMs > 0) : 2);

/** Errors that say "not me, not now" rather than anything about the question. */
const providerFaults = new Set([-32005, -32097, -32603, -32016, 429]);

/** A call that reverts is an answer; two reverts are alike when their data is, the words beside it are each provider's own. */
type Heard<T> = { answer: T } | { revert: string; error: RpcError };

const alike =
  <Answer>(same: (one: Answer, other: Answer) => boolean) =>
  (one: Heard<Answer>, other: Heard<Answer>): boolean => {
    if ('revert' in one || 'revert' in other)
      return 'revert' in one && 'revert' in other && one.revert === other.revert;
    return same(one.answer, other.answer);
  };

const open = <Answer>(heard: readonly Heard<Answer>[], isAlone: boolean): Agreed<Answer> => {
  const answers = heard.map((one) => {
    if ('revert' in one) throw one.error;
    return one.answer;
  });
  return { answer: answers[0] as Answer, answers, isAlone };
};
