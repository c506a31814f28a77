import { launchpadAbi } from '@mintage/protocol';
import { bookWithdrawal } from '../aggregates/fees.ts';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { addressAt, topicAddress, uintAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { eventKind } from './event.ts';

export const Withdrawn = eventKind('Withdrawn', {
  evm: evmEvent(launchpadAbi, 'Withdrawn', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({
      account: topicAddress(topics, 1),
      currency: topicAddress(topics, 2),
      to: addressAt(data, 0),
      amount: uintAt(data, 1),
    }),
  }),
  solana: solanaEvent('Withdrawn', ({ wallet, to, amount }, { usd, ownerOf }) => ({
    account: wallet,
    currency: usd,
    to: ownerOf(to),
    amount,
  })),
  needs(page, { account, currency }) {
    page.rows.fee_balance.need(account, currency);
  },
  handle(page, { at, account, currency, to, amount }) {
    bookWithdrawal(page, at, account, currency, amount);
    page.written.withdrawal.push({ ...page.writtenOnce(at), account, currency, recipient: to, amount });
  },
});
