import { requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { EvmEvent } from '../events/evm/evmEvent.ts';
import type { RawLog } from '../events/evm/log.ts';
import { isWordOf, topicAddress, topicPool } from '../events/evm/words.ts';
import type { ChainEvent } from '../handlers/events.ts';
import type { AddressBook, Found } from './addressBook.ts';
import { evmKinds, topics } from './topics.ts';

/** Tokens that these logs create or register, and pools that they open. */
export const foundIn = (
  logs: readonly Pick<RawLog, 'address' | 'topics'>[],
  { launchpad, tokenBridge, exchange }: Pick<AddressBook, 'launchpad' | 'tokenBridge' | 'exchange'>,
): Found => {
  const sent = (by: Hex | null, name: keyof typeof topics) =>
    logs.filter(({ address, topics: [topic] }) => topic === topics[name] && address === by);
  return {
    tokens: [...sent(launchpad, 'TokenCreated'), ...sent(tokenBridge, 'TokenRegistered')].map(tokenOf),
    pools:
      exchange === null
        ? []
        : sent(launchpad, 'Graduated').map((log) => [requireHex(topicPool(log.topics, 2)), tokenOf(log)] as const),
  };
};

const tokenOf = ({ topics }: Pick<RawLog, 'topics'>): Hex => requireHex(topicAddress(topics, 1));

/**
 * The events among `logs`, which must be in order: a token's transfers count from its creation on, a pool's swaps from its
 * opening on.
 *
 * @throws RangeError when a log of one of these contracts does not match its event.
 */
export const decodeLogs = (logs: readonly RawLog[], book: AddressBook): ChainEvent[] => {
  const events: ChainEvent[] = [];
  for (const log of logs) {
    const event = decodeLog(log, book);
    if (event === undefined) continue;
    if (event.name === 'TokenCreated' || event.name === 'TokenRegistered') book.tokens.add(requireHex(event.token));
    if (event.name === 'Graduated' && book.exchange !== null)
      book.pools.set(requireHex(event.poolId), requireHex(event.token));
    events.push(event);
  }
  return events;
};

const kinds = new Map<Hex, EvmEvent<string, object>>(
  evmKinds.flatMap(({ evm }) => evm.topics.map((topic) => [topic, evm] as const)),
);

const decodeLog = (log: RawLog, book: AddressBook): ChainEvent | undefined => {
  const kind = kinds.get(log.topics[0] ?? '0x');
  if (kind === undefined || !isSentBy(kind, log, book)) return undefined;
  return kind.decode(log, book.pools.get(log.address) ?? log.address) as ChainEvent;
};

/** The endpoint serves every application: only what it says of the bridge counts. */
const isSentBy = (
  { emitter }: Pick<EvmEvent<string, object>, 'emitter'>,
  { address, topics: [, subject] }: RawLog,
  book: AddressBook,
): boolean => {
  if (emitter === 'token') return book.tokens.has(address);
  if (emitter === 'pool') return book.pools.has(address);
  return address === book[emitter] && (emitter !== 'layerZeroEndpoint' || isWordOf(subject, book.tokenBridge));
};
