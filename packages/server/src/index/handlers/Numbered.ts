import type { Address } from '@mintage/protocol';
import { eventKind } from './event.ts';

/**
 * The program gave an event its number among those of one account, or of its creations. By the numbers a reader proves that no
 * event is missing; of which event it is does not matter here.
 */
export const Numbered = eventKind<'Numbered', { account: Address; number: number }>('Numbered', {
  needs(page, { account }) {
    page.rows.event_number.need(account);
  },
  handle(page, { at, account, number }) {
    const row = page.rows.event_number.change(at.block, account);
    const next = row?.next ?? 0;
    if (number !== next) throw new Error(`${account} told its event ${number} where its event ${next} is missing`);
    if (row === undefined) page.rows.event_number.add(at.block, { eid: page.chain.eid, account, next: 1 });
    else row.next = number + 1;
  },
});
