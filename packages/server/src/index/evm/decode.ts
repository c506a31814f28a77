import { requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { EvmEvent } from '../events/evm/evmEvent.ts';
import type { RawLog } from '../events/evm/log.ts';
import { isWordOf, topicAddress } from '../events/evm/words.ts';
import { type ChainEvent, events } from '../handlers/events.ts';
import type { AddressBook } from './addressBook.ts';
import { topics } from './topics.ts';

/** Tokens that these logs create or register. */
export const createdTokens = (
  logs: readonly Pick<RawLog, 'address' | 'topics'>[],
  { launchpad, tokenBridge }: Pick<AddressBook, 'launchpad' | 'tokenBridge'>,
): Hex[] =>
  logs
    .filter(
      ({ address, topics: [topic] }) =>
        (address === launchpad && topic === topics.TokenCreated) ||
        (address === tokenBridge && topic === topics.TokenRegistered),
    )
    .map((log) => requireHex(topicAddress(log.topics, 1)));

/**
 * The events among `logs`, which must be in order: a token's transfers count from its creation on.
 *
 * @throws RangeError when a log of one of these contracts does not match its event.
 */
export const decodeLogs = (logs: readonly RawLog[], book: AddressBook): ChainEvent[] => {
  const events: ChainEvent[] = [];
  for (const log of logs) {
    const event = decodeLog(log, book);
    if (event === undefined) continue;
    if (event.name === 'TokenCreated' || event.name === 'TokenRegistered') book.tokens.add(requireHex(event.token));
    events.push(event);
  }
  return events;
};

const kinds = new Map<Hex, (typeof events)[number]['evm']>(events.map(({ evm }) => [evm.topic, evm]));

const decodeLog = (log: RawLog, book: AddressBook): ChainEvent | undefined => {
  const kind = kinds.get(log.topics[0] ?? '0x');
  return kind !== undefined && isSentBy(kind, log, book) ? kind.decode(log) : undefined;
};

/** The endpoint serves every application: only what it says of the bridge counts. */
const isSentBy = (
  { emitter }: Pick<EvmEvent<string, object>, 'emitter'>,
  { address, topics: [, subject] }: RawLog,
  book: AddressBook,
): boolean => {
  if (emitter === 'token') return book.tokens.has(address);
  return address === book[emitter] && (emitter !== 'layerZeroEndpoint' || isWordOf(subject, book.tokenBridge));
};
