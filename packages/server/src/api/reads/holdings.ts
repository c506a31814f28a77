import { type Address, type Eid, usd18 } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import { tokenUnitAt } from '../../db/tokenUnits.ts';
import type { Reading } from '../tokens/reading.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { type TokenLine, tokenLines } from '../tokens/tokenLines.ts';
import { placeKey, type TokenPlace } from '../tokens/tokenPlace.ts';
import { oneOf } from './oneOf.ts';

export interface HoldingFilter {
  /** Whose balances count. */
  chains: ReadonlyMap<Eid, ChainContext>;
  wallets: readonly Address[];
  /** Only this token. */
  token: Pick<Row<'token'>, 'address'> | null;
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

/** One token held by a user, over all of their wallets and over chains. */
export interface Holding extends Worth {
  token: TokenLine;
  /** Its home. */
  served: ChainContext;
  /** One balance for each wallet and chain that has or had the token; at least one. */
  balances: HeldOn[];
}

const heldColumns = [
  'eid',
  'token',
  'wallet',
  'amount',
  'first_acquired',
  'unpriced_tokens',
  'bought_usd',
  'bought_tokens',
  'sold_usd',
  'sold_tokens',
] as const satisfies (keyof Row<'balance'>)[];

export type HeldOn = Pick<Row<'balance'>, (typeof heldColumns)[number]> & { on: ChainContext };

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

/** A page of holdings, and the sums over all pages. */
export const readHoldings = async (
  context: Reading,
  filter: HoldingFilter,
  limit: number,
  offset: number,
): Promise<Holdings> => {
  const { db } = context;
  const homes = servedChains(context);
  const { page, total, ...sums } = await placed(db, filter, limit, offset);
  if (page.length === 0) return { page: [], total, ...sums };
  const [tokens, balances] = await Promise.all([tokenLines(db, page), balancesOf(db, filter, page)]);
  return {
    total,
    ...sums,
    page: page.flatMap(({ value18, pricedValue18, cost18, realised18, ...place }): Holding[] => {
      const key = placeKey(place);
      const token = tokens.get(key);
      const served = homes.get(place.eid);
      const held = balances.get(key);
      // A reorg between the two queries may have removed a row.
      return token && served && held
        ? [{ token, served, balances: held, value18, pricedValue18, cost18, realised18 }]
        : [];
    }),
  };
};

/**
 * Selects the tokens of the page, each by its home, from columns of `balance_by_wallet` and the key of `token` only. A token
 * has one address on all chains of its family.
 */
export const placedQuery = (filter: HoldingFilter, limit: number, offset: number): RawBuilder<PlacedRow> => {
  const { chains, wallets, token, closedToo } = filter;
  const eids = [...chains.keys()];
  const scales = [...chains.values()].map(({ deployment }) => usd18(1n, deployment.usdDecimals).toString());
  const own = sql`
    cross join lateral (select (${scales}::numeric[])[array_position(${eids}::bigint[], balance.eid)] as scale) s
    where balance.eid = any(${eids}::bigint[]) and wallet = any(${wallets}::text[])
      ${closedToo ? sql`` : sql`and amount > 0`}
      ${token === null ? sql`` : sql`and token = ${token.address}`}`;
  const isSpread = sql`exists (select from remote_token other where other.address = balance.token)`;
  // One wallet has one row of a token that is on one chain. Adding up thousands of them by token would take half of the time.
  const oneWallet = wallets.length === 1;
  const single = sql`
    select balance.eid, token, amount, unpriced_tokens as unpriced, cost_usd * scale as cost18,
      realised_usd * scale as realised18
    from balance ${own} and not ${isSpread}
    union all`;
  const unit = tokenUnitAt(sql`held.eid`);
  return sql<PlacedRow>`
    with held as (
      ${oneWallet ? single : sql``}
      select coalesce(home_eid, balance.eid) as eid, token, sum(amount) as amount, sum(unpriced_tokens) as unpriced,
        sum(cost_usd * scale) as cost18, sum(realised_usd * scale) as realised18
      from balance
      left join remote_token on remote_token.eid = balance.eid and remote_token.address = token
      ${own} ${oneWallet ? sql`and ${isSpread}` : sql``}
      group by 1, 2
    ), valued as materialized (
      select held.eid, held.token, token.token_id, div(amount * price_usd18, ${unit}) as value18,
        div((amount - unpriced) * price_usd18, ${unit}) as priced_value18, cost18, realised18
      from held join token on token.eid = held.eid and token.address = held.token
    )
    select page.*, sums.* from (
      select count(*) as total, coalesce(sum(value18), 0) as sum_value18,
        coalesce(sum(priced_value18), 0) as sum_priced_value18, coalesce(sum(cost18), 0) as sum_cost18,
        coalesce(sum(realised18), 0) as sum_realised18
      from valued
    ) sums left join (
      select * from valued order by value18 desc, realised18 desc, token_id limit ${limit} offset ${offset}
    ) page on true
    order by value18 desc, realised18 desc, token_id`;
};

const placed = async (db: Reading['db'], filter: HoldingFilter, limit: number, offset: number) => {
  const { rows } = await placedQuery(filter, limit, offset).execute(db);
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

/** By the place of the token's home. */
const balancesOf = async (
  db: Reading['db'],
  { chains, wallets, closedToo }: HoldingFilter,
  page: readonly Placed[],
): Promise<Map<string, HeldOn[]>> => {
  const rows = await db
    .selectFrom('balance')
    .leftJoin('remote_token', (join) =>
      join.onRef('remote_token.eid', '=', 'balance.eid').onRef('remote_token.address', '=', 'balance.token'),
    )
    .select(heldColumns.map((column) => `balance.${column}` as const))
    .select('remote_token.home_eid')
    .where(oneOf('balance.eid', [...chains.keys()]))
    .where(
      oneOf(
        'balance.token',
        page.map(({ token }) => token),
      ),
    )
    .where(oneOf('balance.wallet', wallets))
    .where('amount', closedToo ? '>=' : '>', 0n)
    .orderBy('wallet')
    .orderBy('balance.eid')
    .execute();
  const held = new Map<string, HeldOn[]>();
  for (const row of rows) {
    const key = placeKey({ eid: row.home_eid ?? row.eid, token: row.token });
    const list = held.get(key) ?? [];
    list.push({ ...row, on: chains.get(row.eid) as ChainContext });
    held.set(key, list);
  }
  return held;
};
