import type { AddressBook } from '../events/addressBook.ts';
import type { Hex, RawLog } from '../events/log.ts';
import { topicAddress } from '../events/words.ts';
import type { EventKind } from './event.ts';
import { type ChainEvent, events } from './events.ts';
import { TokenCreated } from './TokenCreated.ts';

/** Tokens that these logs create. */
export const createdTokens = (logs: readonly Pick<RawLog, 'address' | 'topics'>[], launchpad: Hex): Hex[] =>
  logs
    .filter((log) => log.address === launchpad && log.topics[0] === TokenCreated.topic)
    .map((log) => topicAddress(log.topics, 1));

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
    if (event.name === 'TokenCreated') book.tokens.add(event.token);
    events.push(event);
  }
  return events;
};

const kinds = new Map<Hex, (typeof events)[number]>(events.map((kind) => [kind.topic, kind]));

const decodeLog = (log: RawLog, book: AddressBook): ChainEvent | undefined => {
  const kind = kinds.get(log.topics[0] ?? '0x');
  return kind !== undefined && isSentBy(kind, log.address, book) ? kind.decode(log) : undefined;
};

const isSentBy = ({ emitter }: Pick<EventKind<string, object>, 'emitter'>, address: Hex, book: AddressBook): boolean =>
  emitter === 'token' ? book.tokens.has(address) : address === book[emitter];
