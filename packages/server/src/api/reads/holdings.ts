import { type Address, type Eid, usd18 } from '@mintage/protocol';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Reading } from '../tokens/reading.ts';
import { isAmong, placeKey, type TokenLine, type TokenPlace, tokenLines } from '../tokens/tokenLines.ts';
import { oneOf } from './oneOf.ts';

export interface HoldingFilter {
  /** By chain id. */
  chains: ReadonlyMap<Eid, ChainContext>;
  wallets: readonly Address[];
  /** Only this token. */
  token: Pick<Row<'token'>, 'eid' | 'address'> | null;
  /** Include tokens that the wallets no longer hold. */
  closedToo: boolean;
}

/** Sums over wallets; USD with 18 fraction digits. */
export interface Worth {
  /** Value at the price of the last trade, rounded down; selling would yield less. */
  value18: bigint;
  /** The part of `value18` whose cost basis is known. */
  pricedValue18: bigint;
  /** Cost basis of the tokens whose cost is known. */
  cost18: bigint;
  /** Profit of what was sold; may be negative. */
  realised18: bigint;
}

/** One token held by a user, over all of their wallets. */
export interface Holding extends Worth {
  token: TokenLine;
  served: ChainContext;
  /** One balance for each wallet that has or had the token; at least one. */
  balances: Row<'balance'>[];
}

export interface Holdings extends Worth {
  /** Sorted by value, then by realised profit, highest first. */
  page: Holding[];
  /** Number of tokens on all pages; the sums cover all pages too. */
  total: number;
}

type Placed = Worth & TokenPlace;

interface PlacedRow extends TokenPlace {
  value18: bigint;
  priced_value18: bigint;
  cost18: bigint;
  realised18: bigint;
  total: number;
  sum_value18: bigint;
  sum_priced_value18: bigint;
  sum_cost18: bigint;
  sum_realised18: bigint;
}

const tokenUnit = 10n ** 18n;

/** Value of a balance (base units) at a price, rounded down. */
export const valueUsd18Down = (amount: bigint, priceUsd18: bigint): bigint => (amount * priceUsd18) / tokenUnit;

/** A page of holdings, and the sums over all pages. */
export const readHoldings = async (
  { db }: Pick<Reading, 'db'>,
  filter: HoldingFilter,
  limit: number,
  offset: number,
): Promise<Holdings> => {
  const { page, total, ...sums } = await placed(db, filter, limit, offset);
  if (page.length === 0) return { page: [], total, ...sums };
  const [tokens, balances] = await Promise.all([tokenLines(db, page), balancesOf(db, filter, page)]);
  return {
    total,
    ...sums,
    page: page.flatMap(({ value18, pricedValue18, cost18, realised18, ...place }): Holding[] => {
      const key = placeKey(place);
      const token = tokens.get(key);
      const served = filter.chains.get(place.eid);
      const held = balances.get(key);
      // A reorg between the two queries may have removed a row.
      return token && served && held
        ? [{ token, served, balances: held, value18, pricedValue18, cost18, realised18 }]
        : [];
    }),
  };
};

/** Selects the tokens of the page, from columns of `balance_by_wallet` and the key of `token` only. */
const placed = async (db: Reading['db'], filter: HoldingFilter, limit: number, offset: number) => {
  const { chains, wallets, token, closedToo } = filter;
  // One wallet has one row per token: grouping thousands of them would take a third of the time.
  const oneEach = wallets.length === 1;
  const sum = (column: string) => (oneEach ? sql.ref(column) : sql`sum(${sql.ref(column)})`);
  const eids = [...chains.keys()];
  const scales = [...chains.values()].map(({ deployment }) => usd18(1n, deployment.usdDecimals).toString());
  const { rows } = await sql<PlacedRow>`
    with held as (
      select eid, token, ${sum('amount')} as amount,
        ${sum('unpriced_tokens')} as unpriced, ${sum('cost_usd')} as cost, ${sum('realised_usd')} as realised
      from balance
      where eid = any(${eids}::bigint[]) and wallet = any(${wallets}::text[])
        ${closedToo ? sql`` : sql`and amount > 0`}
        ${token === null ? sql`` : sql`and eid = ${token.eid} and token = ${token.address}`}
      ${oneEach ? sql`` : sql`group by eid, token`}
    ), valued as materialized (
      select held.eid, held.token, token.token_id, div(amount * price_usd18, ${tokenUnit.toString()}::numeric) as value18,
        div((amount - unpriced) * price_usd18, ${tokenUnit.toString()}::numeric) as priced_value18, cost * scale as cost18, realised * scale as realised18
      from held join token on token.eid = held.eid and token.address = held.token
      cross join lateral (select (${scales}::numeric[])[array_position(${eids}::bigint[], held.eid)] as scale) s
    )
    select page.*, sums.* from (
      select count(*) as total, coalesce(sum(value18), 0) as sum_value18,
        coalesce(sum(priced_value18), 0) as sum_priced_value18, coalesce(sum(cost18), 0) as sum_cost18,
        coalesce(sum(realised18), 0) as sum_realised18
      from valued
    ) sums left join (
      select * from valued order by value18 desc, realised18 desc, token_id limit ${limit} offset ${offset}
    ) page on true
    order by value18 desc, realised18 desc, token_id`.execute(db);
  const [first] = rows as [(typeof rows)[number]];
  return {
    page:
      first.eid === null
        ? []
        : rows.map(({ eid, token, value18, priced_value18: pricedValue18, cost18, realised18 }) => ({
            eid,
            token,
            value18,
            pricedValue18,
            cost18,
            realised18,
          })),
    total: first.total,
    value18: first.sum_value18,
    pricedValue18: first.sum_priced_value18,
    cost18: first.sum_cost18,
    realised18: first.sum_realised18,
  };
};

const balancesOf = async (db: Reading['db'], { wallets, closedToo }: HoldingFilter, page: readonly Placed[]) => {
  const rows = await db
    .selectFrom('balance')
    .selectAll()
    .where(isAmong('balance.eid', 'balance.token', page))
    .where(oneOf('balance.wallet', wallets))
    .where('amount', closedToo ? '>=' : '>', 0n)
    .orderBy('wallet')
    .execute();
  return Map.groupBy(rows, placeKey);
};
