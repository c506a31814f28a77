import type { Hex } from 'viem';
import type { EvmEvent } from '../events/evm/evmEvent.ts';
import { type ChainEvent, events } from '../handlers/events.ts';

/** The kinds that EVM chains have, by name. */
export const evmKinds: readonly { name: ChainEvent['name']; evm: EvmEvent<string, object> }[] = events.flatMap(
  ({ name, evm }) => (evm === undefined ? [] : [{ name, evm }]),
);

/** First topic of each event's logs; where an event has several forms, of the first. */
export const topics = Object.fromEntries(evmKinds.map(({ name, evm }) => [name, evm.topics[0]])) as Record<
  ChainEvent['name'],
  Hex
>;

/** Of all forms of all events. */
export const allTopics: readonly Hex[] = evmKinds.flatMap(({ evm }) => [...evm.topics]);

/** Of what a pool that is a contract of its own says. */
export const poolTopics: readonly Hex[] = evmKinds.flatMap(({ evm }) =>
  evm.emitter === 'pool' ? [...evm.topics] : [],
);
