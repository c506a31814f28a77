import { hash } from 'node:crypto';
import { uuidFromHash } from '@mintage/protocol';
import type { ChainContext } from '../chainContext.ts';
import type { Row } from '../db/tables.ts';
import type { Hex, Origin } from '../events/log.ts';
import type { ChangedRows } from './changedRows.ts';
import type { Journal } from './journal.ts';

/** Who earned: wire contract 3.3. */
export const distribution = { owner: 0, builder: 1, referral: 2, referrer: 3, cashback: 4, treasury: 255 } as const;
/** By what: wire contract 3.3; a treasury's collection has no word there. */
export const activity = { curveTrade: 0, poolTrade: 1, graduation: 3, treasuryCollection: 255 } as const;

export interface Credit {
  recipient: Hex;
  /** Base units of the dollar token; a part of zero is no credit. */
  amount: bigint;
  distributionType: number;
  activityId: number;
  token: Hex;
}

/**
 * The tables as the events of one page see them. Handlers read and change rows here and know nothing of SQL; the store
 * writes the outcome in one transaction, with the journal that undoes it.
 */
export class Page {
  readonly chain: ChainContext;
  readonly journal: Journal;
  readonly tokens: ChangedRows<'token'>;
  readonly balances: ChangedRows<'balance'>;
  readonly feeBalances: ChangedRows<'fee_balance'>;
  readonly trades: Row<'trade'>[] = [];
  readonly transfers: Row<'transfer'>[] = [];
  readonly feeCredits: Row<'fee_credit'>[] = [];
  readonly withdrawals: Row<'withdrawal'>[] = [];
  readonly referrers: Row<'referrer'>[] = [];
  /** By pool id: tokens that graduated. */
  readonly pools: Map<Hex, Hex>;
  treasury: Hex | null;

  constructor(parts: Pick<Page, 'chain' | 'journal' | 'tokens' | 'balances' | 'feeBalances' | 'pools' | 'treasury'>) {
    this.chain = parts.chain;
    this.journal = parts.journal;
    this.tokens = parts.tokens;
    this.balances = parts.balances;
    this.feeBalances = parts.feeBalances;
    this.pools = parts.pools;
    this.treasury = parts.treasury;
  }

  /** The token's row, to be changed. */
  token(at: Origin, address: Hex): Row<'token'> {
    return this.tokens.change(at.block, this.chain.chainId, address);
  }

  /** Books parts of a fee: a row for each that is above zero, and the recipients' sums. */
  credit(at: Origin, credits: readonly Credit[]): void {
    for (const [part, credit] of credits.entries()) {
      if (credit.amount === 0n) continue;
      this.feeCredits.push({
        ...this.writtenOnce(at),
        recipient: credit.recipient,
        part,
        id: creditId(this.chain.chainId, at, part),
        currency: this.chain.usd,
        amount: credit.amount,
        distribution_type: credit.distributionType,
        activity_id: credit.activityId,
        token: credit.token,
      });
      const balance = this.#feeBalance(at, credit.recipient, this.chain.usd);
      balance.earned += credit.amount;
      balance.claimable += credit.amount;
      balance.last_distribution_at = at.time;
    }
  }

  /** @throws When more is withdrawn than was credited: then the tables are not what the chain is. */
  withdraw(at: Origin, account: Hex, currency: Hex, amount: bigint): void {
    const balance = this.#feeBalance(at, account, currency);
    if (balance.claimable < amount) {
      throw new Error(`${account} withdrew ${amount} of ${currency} but the tables hold ${balance.claimable}`);
    }
    balance.claimable -= amount;
  }

  /** Columns that all rows written once have. */
  writtenOnce(at: Origin) {
    return {
      chain_id: this.chain.chainId,
      block_number: at.block,
      log_index: at.logIndex,
      block_hash: at.blockHash,
      tx_hash: at.txHash,
      time: at.time,
    };
  }

  #feeBalance(at: Origin, recipient: Hex, currency: Hex): Row<'fee_balance'> {
    const { chainId } = this.chain;
    if (this.feeBalances.find(chainId, recipient, currency) !== undefined) {
      return this.feeBalances.change(at.block, chainId, recipient, currency);
    }
    const empty = { chain_id: chainId, recipient, currency, earned: 0n, claimable: 0n, last_distribution_at: null };
    return this.feeBalances.add(at.block, empty);
  }
}

/** The same for the same event on the same branch of the chain, so that clients can tell rows apart after a reorg. */
const creditId = (chainId: number, at: Origin, part: number): string =>
  uuidFromHash(`0x${hash('sha256', `${chainId} ${at.blockHash} ${at.logIndex} ${part}`, 'hex')}`);
