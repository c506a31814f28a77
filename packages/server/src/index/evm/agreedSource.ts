import { votesNeeded } from '../../chain/agreement.ts';
import type { Provider as ProviderOf } from '../../chain/provider.ts';
import type { EvmHeader } from './header.ts';
import { ProvidersDownError, poll, type Question } from './poll.ts';
import type { ChainSource, UntimedLog } from './source.ts';

type Provider = ProviderOf<ChainSource>;

/**
 * Several providers as one source. An answer counts once two of them agree; a third decides between two, and the
 * outvoted one is not asked for a while. A provider without a block has no vote about it. With a single provider, or
 * with one of two while the other is down, that one is believed: threat W9 asks for three.
 */
export const agreedSource = (providers: readonly Provider[]): ChainSource => {
  if (providers.length === 0) throw new Error('a chain needs at least one RPC URL');
  const quorum = { votes: votesNeeded(providers.length), oneMaySuffice: providers.length <= 2 };

  /** Providers to ask: the usable ones that have the block, fastest first; others only when too few would remain. */
  const candidates = (block = 0): Provider[] => {
    const ranked = providers.toSorted((a, b) => a.latencyMs - b.latencyMs);
    const usable = ranked.filter((provider) => provider.isUsable);
    const enough = usable.length >= (quorum.oneMaySuffice ? 1 : quorum.votes);
    const asked = enough ? usable : [...usable, ...ranked.filter((provider) => !provider.isUsable)];
    return asked.toSorted((a, b) => Number(lacks(a, block)) - Number(lacks(b, block)));
  };

  const agree = <T>(block: number, question: Question<T>): Promise<T> => poll(candidates(block), quorum, question);
  const askHeads = headAsker();

  return {
    identity: () => agree(0, { about: 'the chain id', ask: (source) => source.identity(), same: Object.is }),

    /** The newest block that enough providers have. Late answers are used the next time. */
    head: async () => {
      const asked = candidates();
      const failure = await askHeads.ask(asked, quorum.votes);
      const heads = asked
        .flatMap((provider) => askHeads.headOf(provider) ?? [])
        .toSorted((a, b) => b.number - a.number);
      const [best] = heads;
      if (best === undefined) throw new ProvidersDownError(failure);
      for (const provider of asked) provider.noticeStandstill(best.number);
      const agreed = heads[quorum.votes - 1] ?? (quorum.oneMaySuffice ? best : undefined);
      if (agreed === undefined) throw new ProvidersDownError(failure, 'only one provider answers');
      return { ...agreed, isAgreed: heads.filter((one) => sameHeader(one, agreed)).length >= quorum.votes };
    },

    headers: async (numbers) => {
      if (numbers.length === 0) return [];
      const last = Math.max(...numbers);
      const about = numbers.length === 1 ? `block ${last}` : `${numbers.length} blocks up to ${last}`;
      const ask = (source: ChainSource) => source.headers(numbers);
      return agree(last, { about, ask, same: sameHeaders, isEmpty: lacksSome });
    },

    logs: (filter, addresses, topics) => {
      const about = 'from' in filter ? `logs of blocks ${filter.from} to ${filter.to}` : `logs of ${filter.blockHash}`;
      const ask = (source: ChainSource) => source.logs(filter, addresses, topics);
      return agree<UntimedLog[]>('from' in filter ? filter.to : 0, { about, ask, same: sameLogs, merge: mergeTimes });
    },

    ...(providers.every((provider) => provider.offers('wholeBlocks')) && {
      wholeBlocks: (headers: readonly EvmHeader[]) => {
        const last = headers.at(-1)?.number ?? 0;
        const about = `${headers.length} whole blocks up to ${last}`;
        const ask = (source: ChainSource) => (source.wholeBlocks as NonNullable<ChainSource['wholeBlocks']>)(headers);
        return agree<UntimedLog[]>(last, { about, ask, same: sameLogs, merge: mergeTimes });
      },
    }),
  };
};

const lacks = ({ head }: Provider, block: number): boolean => head !== undefined && head < block;

const headAsker = () => {
  const running = new Map<Provider, Promise<void>>();
  const heads = new WeakMap<Provider, EvmHeader>();
  const askOne = async (provider: Provider): Promise<void> => {
    const head = await provider.ask((source) => source.head());
    heads.set(provider, head);
    provider.sawHead(head.number);
  };
  return {
    /** Its newest block at the last request; undefined before the first, and after a failure. */
    headOf: (provider: Provider): EvmHeader | undefined =>
      provider.head === undefined ? undefined : heads.get(provider),

    /**
     * Asks all of them for their heads, each only when its last answer is in, and waits for as many as have to agree.
     *
     * @returns Why one of them failed, if one did.
     */
    ask: async (providers: readonly Provider[], votes: number): Promise<unknown> => {
      let answers = 0;
      let failure: unknown;
      const enough = Promise.withResolvers<void>();
      const all = providers.map(async (provider) => {
        const answer = running.get(provider) ?? askOne(provider).finally(() => running.delete(provider));
        running.set(provider, answer);
        try {
          await answer;
          answers += 1;
          if (answers >= votes) enough.resolve();
        } catch (error) {
          failure = error;
        }
      });
      await Promise.race([enough.promise, Promise.all(all)]);
      return failure;
    },
  };
};

type Headers = (EvmHeader | undefined)[];

const lacksSome = (headers: Headers): boolean => headers.includes(undefined);

const sameHeaders = (one: Headers, other: Headers): boolean =>
  one.length === other.length && one.every((header, i) => sameHeader(header, other[i]));

const sameHeader = (one: EvmHeader | undefined, other: EvmHeader | undefined): boolean =>
  one?.hash === other?.hash &&
  one?.parentHash === other?.parentHash &&
  one?.timestamp === other?.timestamp &&
  one?.logsBloom === other?.logsBloom;

/** Compares everything but the times, which not every provider returns. */
export const sameLogs = (one: readonly UntimedLog[], other: readonly UntimedLog[]): boolean =>
  one.length === other.length && one.every((log, i) => sameLog(log, other[i] as UntimedLog));

const sameLog = (one: UntimedLog, other: UntimedLog): boolean =>
  one.blockNumber === other.blockNumber &&
  one.logIndex === other.logIndex &&
  one.blockHash === other.blockHash &&
  one.txHash === other.txHash &&
  one.address === other.address &&
  one.data === other.data &&
  one.topics.length === other.topics.length &&
  one.topics.every((topic, i) => topic === other.topics[i]);

/** Keeps only times that both providers agree on; others are read from the block header. */
const mergeTimes = (one: UntimedLog[], other: UntimedLog[]): UntimedLog[] =>
  one.map((log, i) => (log.timestamp === other[i]?.timestamp ? log : { ...log, timestamp: undefined }));
