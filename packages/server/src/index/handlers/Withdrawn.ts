import { launchpadAbi } from '@mintage/protocol';
import { bookWithdrawal } from '../aggregates/fees.ts';
import { addressAt, topicAddress, uintAt } from '../events/words.ts';
import { eventKind } from './event.ts';

export const Withdrawn = eventKind(launchpadAbi, 'Withdrawn', {
  emitter: 'launchpad',
  decode: ({ topics, data }) => ({
    account: topicAddress(topics, 1),
    currency: topicAddress(topics, 2),
    to: addressAt(data, 0),
    amount: uintAt(data, 1),
  }),
  needs(page, { account, currency }) {
    page.rows.fee_balance.need(page.chain.eid, account, currency);
  },
  handle(page, { at, account, currency, to, amount }) {
    bookWithdrawal(page, at, account, currency, amount);
    page.written.withdrawal.push({ ...page.writtenOnce(at), account, currency, recipient: to, amount });
  },
});
