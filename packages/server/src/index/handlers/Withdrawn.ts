import type { Withdrawn } from '../events/events.ts';
import { bookWithdrawal } from '../store/aggregates/fees.ts';
import type { Page } from '../store/page.ts';

export const handleWithdrawn = (page: Page, { at, account, currency, to, amount }: Withdrawn): void => {
  bookWithdrawal(page, at, account, currency, amount);
  page.withdrawals.push({ ...page.writtenOnce(at), account, currency, recipient: to, amount });
};
