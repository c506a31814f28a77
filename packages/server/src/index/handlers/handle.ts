import type { ChainEvent } from '../events/events.ts';
import { settleCosts } from '../store/aggregates/costs.ts';
import type { Page } from '../store/page.ts';
import { handleCompleted } from './Completed.ts';
import { handleGraduated } from './Graduated.ts';
import { handleProtocolFeeUpdated } from './ProtocolFeeUpdated.ts';
import { handleReferrerSet } from './ReferrerSet.ts';
import { handleSettingChanged } from './SettingChanged.ts';
import { handleTokenCreated } from './TokenCreated.ts';
import { handleTrade } from './Trade.ts';
import { handleTransfer } from './Transfer.ts';
import { handleTreasuryCollected } from './TreasuryCollected.ts';
import { handleWithdrawn } from './Withdrawn.ts';

/** The events of whole blocks, in order: one by one, then what each transaction comes to as a whole. */
export const handleAll = (page: Page, events: readonly ChainEvent[]): void => {
  for (let first = 0; first < events.length; ) {
    const { txHash } = (events[first] as ChainEvent).at;
    let after = first;
    for (; events[after]?.at.txHash === txHash; after += 1) handle(page, events[after] as ChainEvent);
    settleCosts(page, events.slice(first, after));
    first = after;
  }
};

/**
 * One event. The law of all handlers: they only go forward, use nothing but the event and the page, and give the same
 * rows for the same events in the same order. Undoing is the store's job.
 */
const handle = (page: Page, event: ChainEvent): void => {
  switch (event.name) {
    case 'TokenCreated':
      return handleTokenCreated(page, event);
    case 'Trade':
      return handleTrade(page, event);
    case 'Completed':
      return handleCompleted(page, event);
    case 'Graduated':
      return handleGraduated(page, event);
    case 'TreasuryCollected':
      return handleTreasuryCollected(page, event);
    case 'Withdrawn':
      return handleWithdrawn(page, event);
    case 'ReferrerSet':
      return handleReferrerSet(page, event);
    case 'SettingChanged':
      return handleSettingChanged(page, event);
    case 'Transfer':
      return handleTransfer(page, event);
    case 'ProtocolFeeUpdated':
      return handleProtocolFeeUpdated(page, event);
  }
};
