import type { Provider } from '../../chain/provider.ts';
import { headsOf } from '../sync/heads.ts';
import { quorumOf } from '../sync/quorum.ts';
import type { EvmHeader } from './header.ts';
import type { ChainSource, UntimedLog } from './source.ts';

/**
 * Several providers as one source. An answer counts once two of them agree; a third decides between two, and the
 * outvoted one is not asked for a while. A provider without a block has no vote about it. With a single provider, or
 * with one of two while the other is down, that one is believed: threat W9 asks for three.
 */
export const agreedSource = (providers: readonly Provider<ChainSource>[]): ChainSource => {
  const quorum = quorumOf(providers);
  const { agree } = quorum;
  const askHeads = headsOf(quorum);

  return {
    identity: () => agree(0, { about: 'the chain id', ask: (source) => source.identity(), same: Object.is }),

    /** The newest block that enough providers have. Late answers are used the next time. */
    head: async () => {
      const heads = await askHeads();
      const agreed = heads[quorum.votes - 1] ?? (heads[0] as EvmHeader);
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
