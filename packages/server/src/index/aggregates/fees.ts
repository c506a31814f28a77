import { type Address, distributionTypes } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Origin } from '../events/origin.ts';
import type { Page } from '../page/page.ts';

/** Activity that caused the credit: wire contract 3.3, which has no word for a treasury's collection. */
export const activity = { curveTrade: 0, poolTrade: 1, graduation: 3, poolFees: 1, treasuryCollection: 255 } as const;

export interface Credit {
  recipient: Address;
  /** Base units of the currency; a part of zero is no credit. */
  amount: bigint;
  /** What is paid; absent: the chain's dollar. */
  currency?: Address;
  /** Number of `distributionTypes` in protocol. */
  distributionType: number;
  /** Number of `activity`: what caused it. */
  activityId: number;
  /** Launched token that it comes from. */
  token: Address;
}

/** Names the rows that a credit of this kind touches. */
export const needPayee = (
  page: Page,
  recipient: Address,
  distributionType: number,
  currency = page.chain.usd,
): void => {
  page.rows.fee_balance.need(recipient, currency);
  page.rows.fee_sum.need(recipient, distributionType);
};

/** The same for a token's creator, whom only the token's row names. */
export const needCreator = (page: Page, token: Address, currency = page.chain.usd): void => {
  const creator = page.rows.token.find(token)?.creator ?? page.creators.get(token);
  if (creator !== undefined) needPayee(page, creator, distributionTypes.creator, currency);
};

/** The same for the treasury, whoever that is when the credit comes. */
export const needTreasury = (page: Page, currency = page.chain.usd): void => {
  for (const treasury of page.treasuries) needPayee(page, treasury, distributionTypes.treasury, currency);
};

/** Books the parts of a fee: one row for each part above zero, and the sums of the recipients. */
export const bookCredits = (page: Page, at: Origin, credits: readonly Credit[]): void => {
  for (const [part, credit] of credits.entries()) {
    if (credit.amount === 0n) continue;
    const { recipient, amount, distributionType, currency = page.chain.usd } = credit;
    page.written.fee_credit.push({
      ...page.writtenOnce(at),
      recipient,
      part,
      currency,
      amount,
      distribution_type: distributionType,
      activity_id: credit.activityId,
      token: credit.token,
    });
    const balance = feeBalance(page, at, recipient, currency);
    balance.earned += amount;
    balance.claimable += amount;
    balance.last_distribution_at = at.time;
    const sum = feeSum(page, at, recipient, distributionType);
    sum.credits += 1;
    if (currency === page.chain.usd) sum.earned += amount;
  }
};

/** @throws When more is withdrawn than was credited: then the tables differ from the chain. */
export const bookWithdrawal = (page: Page, at: Origin, account: Address, currency: Address, amount: bigint): void => {
  const balance = feeBalance(page, at, account, currency);
  if (balance.claimable < amount) {
    throw new Error(`${account} withdrew ${amount} of ${currency} but the tables hold ${balance.claimable}`);
  }
  balance.claimable -= amount;
};

const feeBalance = (page: Page, at: Origin, recipient: Address, currency: Address): Row<'fee_balance'> => {
  const { eid } = page.chain;
  return (
    page.rows.fee_balance.change(at.block, recipient, currency) ??
    page.rows.fee_balance.add(at.block, {
      eid,
      recipient,
      currency,
      earned: 0n,
      claimable: 0n,
      last_distribution_at: null,
    })
  );
};

const feeSum = (page: Page, at: Origin, recipient: Address, distributionType: number): Row<'fee_sum'> => {
  const { eid } = page.chain;
  return (
    page.rows.fee_sum.change(at.block, recipient, distributionType) ??
    page.rows.fee_sum.add(at.block, {
      eid,
      recipient,
      distribution_type: distributionType,
      credits: 0,
      earned: 0n,
    })
  );
};
