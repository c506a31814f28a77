import { type Address, transferActivity } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { erc20Abi } from '../events/evm/foreignAbis.ts';
import { senderOf } from '../events/evm/log.ts';
import { topicAddress, uintAt } from '../events/evm/words.ts';
import type { Origin } from '../events/origin.ts';
import { activityChain } from '../outbox/news.ts';
import type { Page } from '../page/page.ts';
import { type EventOf, eventKind } from './event.ts';

/**
 * Balances and holders of a launched token. A transfer of zero leaves no row: anyone can cause one in the name of any
 * wallet, to have an address that looks like a known one stand in its history (address poisoning).
 */
export const Transfer = eventKind('Transfer', {
  evm: evmEvent(erc20Abi, 'Transfer', {
    emitter: 'token',
    decode: (log) => ({
      token: senderOf(log),
      from: topicAddress(log.topics, 1),
      to: topicAddress(log.topics, 2),
      amount: uintAt(log.data, 0),
    }),
  }),
  needs(page, { token, from, to }) {
    page.rows.balance.need(token, from);
    page.rows.balance.need(token, to);
  },
  handle(page, { at, token, from, to, amount }) {
    if (amount === 0n) return;
    if (from !== to) {
      move(page, at, token, from, -amount);
      move(page, at, token, to, amount);
    }
    page.written.transfer.push({
      ...page.writtenOnce(at),
      token,
      sender: from,
      recipient: to,
      amount,
      is_leg: page.chain.isCounterparty(token, from) || page.chain.isCounterparty(token, to),
      holders: page.identity(token).holders,
    });
  },
  activities: (page, from) =>
    page.written.transfer
      .filter((row) => row.block_number >= from && !row.is_leg)
      .map((row) => ({
        time: row.time,
        activity: transferActivity(activityChain(page), page.identity(row.token), row),
      })),
});

export type Transfer = EventOf<typeof Transfer>;

const move = (page: Page, at: Origin, token: Address, wallet: Address, change: bigint): void => {
  if (!page.chain.isHolder(token, wallet)) return;
  const row = page.balance(at, token, wallet);
  const before = row.amount;
  row.amount += change;
  row.updated_at = at.time;
  if (row.amount < 0n) throw new Error(`${wallet} sent ${-change} of ${token} but the tables hold ${before}`);
  if (before === 0n) page.held(at, token).holders += 1;
  if (row.amount === 0n) page.held(at, token).holders -= 1;
};
