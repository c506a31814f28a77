import { requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { EvmEvent } from '../events/evm/evmEvent.ts';
import type { RawLog } from '../events/evm/log.ts';
import { topicAddress } from '../events/evm/words.ts';
import { type ChainEvent, events } from '../handlers/events.ts';
import type { AddressBook } from './addressBook.ts';
import { topics } from './topics.ts';

/** Tokens that these logs create. */
export const createdTokens = (logs: readonly Pick<RawLog, 'address' | 'topics'>[], launchpad: Hex): Hex[] =>
  logs
    .filter((log) => log.address === launchpad && log.topics[0] === topics.TokenCreated)
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
    if (event.name === 'TokenCreated') book.tokens.add(requireHex(event.token));
    events.push(event);
  }
  return events;
};

const kinds = new Map<Hex, (typeof events)[number]['evm']>(events.map(({ evm }) => [evm.topic, evm]));

const decodeLog = (log: RawLog, book: AddressBook): ChainEvent | undefined => {
  const kind = kinds.get(log.topics[0] ?? '0x');
  return kind !== undefined && isSentBy(kind, log.address, book) ? kind.decode(log) : undefined;
};

const isSentBy = ({ emitter }: Pick<EvmEvent<string, object>, 'emitter'>, address: Hex, book: AddressBook): boolean =>
  emitter === 'token' ? book.tokens.has(address) : address === book[emitter];
