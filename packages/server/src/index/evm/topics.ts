import type { Hex } from 'viem';
import { type ChainEvent, events } from '../handlers/events.ts';

/** First topic of each event's logs. */
export const topics = Object.fromEntries(events.map(({ name, evm }) => [name, evm.topic])) as Record<
  ChainEvent['name'],
  Hex
>;
