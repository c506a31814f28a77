import { type Abi, type AbiEvent, type ContractEventName, toEventSelector } from 'viem';
import { type Hex, type Origin, originOf, type RawLog } from '../events/log.ts';
import type { PageActivity } from '../outbox/news.ts';
import type { Page } from '../page/page.ts';

/** A decoded event: its own fields, and where it stands. Amounts are base units. */
export type Happened<Name extends string, Fields> = Fields & { name: Name; at: Origin };

/**
 * Everything that the indexer knows of one kind of event. The law of all handlers: they only go forward, use nothing but
 * the event and the page, and give the same rows for the same events in the same order. Undoing is the store's job.
 */
interface Parts<Event, Fields> {
  /** Which contract sends it, `token` for any launched one: the same log from another address does not count. */
  emitter: 'launchpad' | 'token' | 'poolManager';
  /**
   * Its fields.
   *
   * @throws RangeError when the log does not have the form of the event.
   */
  decode(log: RawLog): Fields;
  /**
   * The launched token that it concerns, whose row is loaded; absent: the one in its field `token`.
   *
   * @param pools - Tokens by pool id, with the pools that events of the same page open.
   */
  tokenOf?(event: Event, pools: ReadonlyMap<Hex, Hex>): Hex | undefined;
  /** Names the other rows that `handle` may touch, so that they are loaded in one query per table. Tokens are there already. */
  needs?(page: Page, event: Event): void;
  handle(page: Page, event: Event): void;
  /** What its rows in the page add to the stream `tokenActivity`, from this block on. */
  activities?(page: Page, from: number): PageActivity[];
}

export interface EventKind<Name extends string, Fields> extends Parts<Happened<Name, Fields>, Fields> {
  name: Name;
  abi: AbiEvent;
  /** First topic of its logs. */
  topic: Hex;
  decode(log: RawLog): Happened<Name, Fields>;
}

/** The event that a kind decodes. */
export type EventOf<Kind extends { decode(log: RawLog): unknown }> = ReturnType<Kind['decode']>;

/** One kind of event, by its name in the ABI. */
export const eventKind = <const EventAbi extends Abi, Name extends ContractEventName<EventAbi>, Fields extends object>(
  abi: EventAbi,
  name: Name,
  parts: Parts<Happened<Name, Fields>, Fields>,
): EventKind<Name, Fields> => {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === name);
  if (event === undefined) throw new Error(`the ABI has no event ${name}`);
  return {
    ...parts,
    name,
    abi: event,
    topic: toEventSelector(event),
    decode: (log) => Object.assign(parts.decode(log), { name, at: originOf(log) }),
  };
};
