import type { Row } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Hex, Origin } from '../events/log.ts';
import type { Position } from '../position.ts';
import { ChangedRows } from './changedRows.ts';
import { Journal } from './journal.ts';
import { balanceSpec, candleSpec, feeBalanceSpec, feeSumSpec, referrerSpec, tokenSpec, traderSpec } from './specs.ts';

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
  readonly feeSums: ChangedRows<'fee_sum'>;
  readonly traders: ChangedRows<'trader'>;
  readonly candles: ChangedRows<'candle'>;
  readonly referrers: ChangedRows<'referrer'>;
  readonly trades: Row<'trade'>[] = [];
  readonly transfers: Row<'transfer'>[] = [];
  readonly feeCredits: Row<'fee_credit'>[] = [];
  readonly withdrawals: Row<'withdrawal'>[] = [];
  /** By pool id: tokens that graduated. */
  readonly pools: Map<Hex, Hex>;
  treasury: Hex | null;
  readonly #usd18Scale: bigint;

  /** @param journalFrom - First block that may still be reorganised. */
  constructor(chain: ChainContext, { pools, treasury }: Pick<Position, 'pools' | 'treasury'>, journalFrom: number) {
    this.chain = chain;
    this.pools = pools;
    this.treasury = treasury;
    this.journal = new Journal(chain.chainId, journalFrom);
    this.tokens = new ChangedRows(tokenSpec, this.journal);
    this.balances = new ChangedRows(balanceSpec, this.journal);
    this.feeBalances = new ChangedRows(feeBalanceSpec, this.journal);
    this.feeSums = new ChangedRows(feeSumSpec, this.journal);
    this.traders = new ChangedRows(traderSpec, this.journal);
    this.candles = new ChangedRows(candleSpec, this.journal);
    this.referrers = new ChangedRows(referrerSpec, this.journal);
    this.#usd18Scale = 10n ** BigInt(18 - chain.usdDecimals);
  }

  /** All tables whose rows change. */
  get changedRows() {
    return [
      this.tokens,
      this.balances,
      this.feeBalances,
      this.feeSums,
      this.traders,
      this.candles,
      this.referrers,
    ] as const;
  }

  /** The token's row, to be changed. */
  token(at: Origin, address: Hex): Row<'token'> {
    const row = this.tokens.change(at.block, this.chain.chainId, address);
    if (row === undefined) throw new Error(`there is no token ${address}`);
    return row;
  }

  /** The token's row as it is now, only for reading. */
  knownToken(address: Hex): Row<'token'> {
    const row = this.tokens.find(this.chain.chainId, address);
    if (row === undefined) throw new Error(`there is no token ${address}`);
    return row;
  }

  /** A wallet's row for a token, to be changed; made where there is none. */
  balance(at: Origin, token: Hex, wallet: Hex): Row<'balance'> {
    const { chainId } = this.chain;
    return (
      this.balances.change(at.block, chainId, token, wallet) ??
      this.balances.add(at.block, {
        chain_id: chainId,
        token,
        wallet,
        amount: 0n,
        first_acquired: at.time,
        updated_at: at.time,
        unpriced_tokens: 0n,
        cost_usd: 0n,
        realised_usd: 0n,
        bought_usd: 0n,
        bought_tokens: 0n,
        sold_usd: 0n,
        sold_tokens: 0n,
      })
    );
  }

  /** Base units of the chain's dollar with 18 fraction digits. */
  usd18(amount: bigint): bigint {
    return amount * this.#usd18Scale;
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
}
