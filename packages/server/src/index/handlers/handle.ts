import type { Page } from '../page/page.ts';
import { settleCosts } from './costs.ts';
import type { EventKind } from './event.ts';
import { type ChainEvent, events as kinds } from './events.ts';

const byName = new Map<string, EventKind<string, object>>(kinds.map((kind) => [kind.name, kind]));

export const kindOf = (event: ChainEvent): EventKind<string, object> =>
  byName.get(event.name) as EventKind<string, object>;

/** Applies the events of whole blocks in order: each event, then the effects of each transaction as a whole. */
export const handleAll = (page: Page, events: readonly ChainEvent[]): void => {
  for (let first = 0; first < events.length; ) {
    const { txHash } = (events[first] as ChainEvent).at;
    let after = first;
    for (; events[after]?.at.txHash === txHash; after += 1) {
      const event = events[after] as ChainEvent;
      kindOf(event).handle(page, event);
    }
    const ofTransaction = events.slice(first, after);
    settleCosts(
      page,
      ofTransaction.filter((event) => event.name === 'Transfer' || event.name === 'Trade'),
    );
    first = after;
  }
};
