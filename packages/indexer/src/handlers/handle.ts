import type { ChainEvent } from '../events/events.ts';
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

/**
 * One event. The law of all handlers: they only go forward, use nothing but the event and the page, and give the same
 * rows for the same events in the same order. Undoing is the store's job.
 */
export const handle = (page: Page, event: ChainEvent): void => {
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
