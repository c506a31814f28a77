import type { Hex } from 'viem';
import { type ChainEvent, events } from '../handlers/events.ts';

/** First topic of each event's logs; where an event has several forms, of the first. */
export const topics = Object.fromEntries(events.map(({ name, evm }) => [name, evm.topics[0]])) as Record<
  ChainEvent['name'],
  Hex
>;

/** Of all forms of all events. */
export const allTopics: readonly Hex[] = events.flatMap(({ evm }) => [...evm.topics]);

/** Of what a pool that is a contract of its own says. */
export const poolTopics: readonly Hex[] = events.flatMap(({ evm }) => (evm.emitter === 'pool' ? [...evm.topics] : []));
