import type { Address, Hash } from '@mintage/protocol';
import { type Row, type WrittenOnceTable, writtenOnceTables } from '../../db/chainTables.ts';
import { namesOf } from '../../db/table.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Origin } from '../events/origin.ts';
import type { Position } from '../position.ts';
import { Journal } from './journal.ts';
import type { Place, Rows } from './tableRows.ts';

/** `pool_id` is null of a token whose home is elsewhere: it has its pool there. */
type TokenIdentity = Pick<Row<'token'>, 'address' | 'platform_id' | 'pool_id' | 'holders'>;

/**
 * The tables as seen by the events of one page. Handlers read and change rows here without SQL; the store writes the
 * result in one transaction, which may be that of several pages, together with the journal that can undo it.
 */
export class Page {
  readonly chain: ChainContext;
  readonly journal: Journal;
  /** Of the tables whose rows events change, the rows that this page may touch, with changes of earlier pages. */
  readonly rows: Rows;
  /** Of the tables whose rows are written once, this page's. */
  readonly written: { readonly [Name in WrittenOnceTable]: Row<Name>[] };
  /** Graduated tokens by pool id. */
  readonly pools: Map<Hash, Address>;
  treasury: Address | null;
  /** Who creates tokens in this page, by token: their rows are not there yet when others are named. */
  readonly creators = new Map<Address, Address>();
  /** Every treasury that there is at some time of this page. */
  readonly treasuries = new Set<Address>();
  /** Of each token, the minute whose candles were named last, and the candles that its latest trade fell into. */
  readonly namedMinutes = new Map<Address, number>();
  readonly openCandles = new Map<Address, { minute: number; places: readonly Place<'candle'>[] }>();
  readonly #usd18Scale: bigint;

  /** @param journalFrom - First block that may still be reorganised. */
  constructor(
    chain: ChainContext,
    { pools, treasury }: Pick<Position, 'pools' | 'treasury'>,
    rows: Rows,
    journalFrom: number,
  ) {
    this.chain = chain;
    this.pools = pools;
    this.treasury = treasury;
    this.journal = new Journal(chain.eid, journalFrom);
    this.rows = rows;
    for (const table of Object.values(rows)) table.begin(this.journal);
    this.written = Object.fromEntries(namesOf(writtenOnceTables).map((name) => [name, []])) as never;
    this.#usd18Scale = 10n ** BigInt(18 - chain.decimals.usd);
  }

  /** The token's row, for changing. */
  token(at: Origin, address: Address): Row<'token'> {
    const row = this.rows.token.change(at.block, address);
    if (row === undefined) throw new Error(`there is no token ${address}`);
    return row;
  }

  /** The token's row as it is now, only for reading. */
  knownToken(address: Address): Row<'token'> {
    const row = this.rows.token.find(address);
    if (row === undefined) throw new Error(`there is no token ${address}`);
    return row;
  }

  /** The token's row here, for changing, whether its home is this chain or another. */
  held(at: Origin, address: Address): Row<'token'> | Row<'remote_token'> {
    return this.rows.remote_token.change(at.block, address) ?? this.token(at, address);
  }

  /** What a token is, whether its home is this chain or another; only for reading. */
  identity(address: Address): TokenIdentity {
    const remote = this.rows.remote_token.find(address);
    return remote === undefined ? this.knownToken(address) : { ...remote, pool_id: null };
  }

  /** A wallet's balance row of a token, for changing; created where there is none. */
  balance(at: Origin, token: Address, wallet: Address): Row<'balance'> {
    const { eid } = this.chain;
    return (
      this.rows.balance.change(at.block, token, wallet) ??
      this.rows.balance.add(at.block, {
        eid,
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

  /** Converts base units of the chain's dollar to 18 fraction digits. */
  usd18(amount: bigint): bigint {
    return amount * this.#usd18Scale;
  }

  /** Columns shared by all rows that are written once. */
  writtenOnce(at: Origin) {
    return {
      eid: this.chain.eid,
      block_number: at.block,
      log_index: at.logIndex,
      block_hash: at.blockHash,
      tx_hash: at.txHash,
      time: at.time,
    };
  }
}
