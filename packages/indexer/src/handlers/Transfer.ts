import type { Transfer } from '../events/events.ts';
import type { Hex, Origin } from '../events/log.ts';
import type { Page } from '../store/page.ts';

/** Balances and holders of a launched token. Anyone can make a token say that zero moved; that changes nothing. */
export const handleTransfer = (page: Page, event: Transfer): void => {
  const { at, token, from, to, amount } = event;
  page.transfers.push({ ...page.writtenOnce(at), token, sender: from, recipient: to, amount });
  if (amount === 0n || from === to) return;
  move(page, at, token, from, -amount);
  move(page, at, token, to, amount);
};

const move = (page: Page, at: Origin, token: Hex, wallet: Hex, change: bigint): void => {
  if (page.chain.notHolders.has(wallet)) return;
  const { chainId } = page.chain;
  const known = page.balances.find(chainId, token, wallet);
  const before = known?.amount ?? 0n;
  const after = before + change;
  if (after < 0n) throw new Error(`${wallet} sent ${-change} of ${token} but the tables hold ${before}`);
  if (known === undefined) {
    const row = { chain_id: chainId, token, wallet, amount: after, first_acquired: at.time, updated_at: at.time };
    page.balances.add(at.block, row);
  } else {
    const row = page.balances.change(at.block, chainId, token, wallet);
    row.amount = after;
    row.updated_at = at.time;
  }
  if (before === 0n) page.token(at, token).holders += 1;
  if (after === 0n) page.token(at, token).holders -= 1;
};
