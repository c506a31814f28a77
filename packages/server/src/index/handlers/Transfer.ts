import type { Transfer } from '../events/events.ts';
import type { Hex, Origin } from '../events/log.ts';
import type { Page } from '../store/page.ts';

/** Balances and holders of a launched token. Anyone can make a token say that zero moved; that changes nothing. */
export const handleTransfer = (page: Page, event: Transfer): void => {
  const { at, token, from, to, amount } = event;
  if (amount !== 0n && from !== to) {
    move(page, at, token, from, -amount);
    move(page, at, token, to, amount);
  }
  page.transfers.push({
    ...page.writtenOnce(at),
    token,
    sender: from,
    recipient: to,
    amount,
    is_leg: page.chain.counterparties.has(from) || page.chain.counterparties.has(to),
    holders: page.tokens.find(page.chain.chainId, token)?.holders ?? 0,
  });
};

const move = (page: Page, at: Origin, token: Hex, wallet: Hex, change: bigint): void => {
  if (page.chain.notHolders.has(wallet)) return;
  const row = page.balance(at, token, wallet);
  const before = row.amount;
  row.amount += change;
  row.updated_at = at.time;
  if (row.amount < 0n) throw new Error(`${wallet} sent ${-change} of ${token} but the tables hold ${before}`);
  if (before === 0n) page.token(at, token).holders += 1;
  if (row.amount === 0n) page.token(at, token).holders -= 1;
};
