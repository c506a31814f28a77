import { type Address, families } from '@mintage/protocol';
import type { Page } from '../page/page.ts';
import { settleCosts } from './costs.ts';
import { type EventOf, eventKind } from './event.ts';
import { Transfer } from './Transfer.ts';

interface HeldFields {
  token: Address;
  /** The token account. */
  account: Address;
  /** Whose it was before the transaction. */
  ownerBefore: Address;
  /** Whose it is after it. */
  owner: Address;
  /** Base units before the transaction, 0 where there was no account. */
  before: bigint;
  /** Base units after it. */
  after: bigint;
}

/**
 * What a token account held before and after a transaction. Where the tables say something else than what it held before, transfers
 * happened that nobody showed us; they are booked now, to or from nobody, because the other side is not known yet. That side is
 * put right in the same way when it is next seen.
 */
export const Held = eventKind<'Held', HeldFields>('Held', {
  needs(page, { token, account, owner, ownerBefore }) {
    const known = page.rows.token_account.find(account);
    for (const one of [owner, ownerBefore, known?.owner]) if (one !== undefined) page.rows.balance.need(token, one);
    page.rows.balance.need(token, nobody);
  },
  handle(page, event) {
    const { at, account, token, owner, ownerBefore, before, after } = event;
    const row = page.rows.token_account.change(at.block, account);
    if (row !== undefined) correct(page, event, { owner: row.owner, amount: row.amount });
    else if (before > 0n) correct(page, event, { owner: ownerBefore, amount: 0n });
    if (row === undefined)
      page.rows.token_account.add(at.block, { eid: page.chain.eid, account, token, owner, amount: after });
    else Object.assign(row, { owner, amount: after });
  },
});

export type Held = EventOf<typeof Held>;

const { nobody } = families.solana.addresses;

/** Books what lies between what the tables say and what the account held. */
const correct = (page: Page, { at, token, ownerBefore, before }: Held, known: { owner: Address; amount: bigint }) => {
  const move = (place: number, from: Address, to: Address, amount: bigint): void => {
    if (amount === 0n || from === to) return;
    const transfer = {
      name: 'Transfer',
      token,
      from,
      to,
      amount,
      at: { ...at, logIndex: at.logIndex + place },
    } as const;
    Transfer.handle(page, transfer);
    settleCosts(page, [transfer]);
  };
  move(0, known.owner, ownerBefore, known.amount);
  if (before > known.amount) move(1, nobody, ownerBefore, before - known.amount);
  else move(1, ownerBefore, nobody, known.amount - before);
};
