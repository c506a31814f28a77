import { type Address, type Eid, formatUnits } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { currencyName } from '../reads/currencyName.ts';
import { oneOf } from '../reads/oneOf.ts';
import { rowId } from '../reads/rowId.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { handler } from './handler.ts';

export const getUserClaims = handler(
  definitions.getUserClaims,
  async (context, { chains: slugs, ...page }, { caller: { wallets } }) => {
    const chains = servedChains(context, slugs);
    const eids = [...chains.keys()];
    const [rows, total] = await Promise.all([
      newestClaims(context.db, eids, wallets, page),
      countClaims(context.db, eids, wallets),
    ]);
    return {
      claims: rows.flatMap(({ symbol: tokenSymbol, ...row }) => {
        const served = chains.get(row.eid);
        if (!served) return [];
        const { symbol, decimals } = currencyName(served, tokenSymbol);
        return [
          {
            id: rowId(served.chain, row.block_hash, row.log_index),
            wallet_address: row.account,
            recipient_address: row.recipient,
            amount: row.amount.toString(),
            amount_with_decimals: formatUnits(row.amount, decimals),
            decimals,
            currency_address: row.currency,
            currency_symbol: symbol,
            chain: served.chain.slug,
            transaction_hash: row.tx_hash,
            block_number: row.block_number,
            created_at: row.time.toISOString(),
          },
        ];
      }),
      total_count: total,
      ...chainWarnings(context, slugs),
    };
  },
);

/** Reads each wallet on each chain along the key, so the cost grows with the depth of the page only. */
const newestClaims = (
  db: Db,
  eids: readonly Eid[],
  wallets: readonly Address[],
  { limit, offset }: { limit: number; offset: number },
) =>
  db
    .selectFrom(
      sql<{ eid: Eid; account: Address }>`(select eid, account from unnest(${[...eids]}::bigint[]) eid
        cross join unnest(${[...wallets]}::text[]) account)`.as('of'),
    )
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('withdrawal')
          .selectAll()
          .whereRef('eid', '=', 'of.eid')
          .whereRef('account', '=', 'of.account')
          .orderBy('block_number', 'desc')
          .orderBy('log_index', 'desc')
          .limit(offset + limit)
          .as('claim'),
      (join) => join.onTrue(),
    )
    .leftJoin('token', (join) =>
      join.onRef('token.eid', '=', 'claim.eid').onRef('token.address', '=', 'claim.currency'),
    )
    .selectAll('claim')
    .select('token.symbol')
    .orderBy('claim.time', 'desc')
    .orderBy('claim.eid')
    .orderBy('claim.block_number', 'desc')
    .orderBy('claim.log_index', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** Every one of them is a transaction that the wallet itself paid for, so there are few. */
const countClaims = async (db: Db, eids: readonly Eid[], wallets: readonly Address[]): Promise<number> => {
  const { count } = await db
    .selectFrom('withdrawal')
    .select(({ fn }) => fn.countAll<bigint | number>().as('count'))
    .where(oneOf('eid', eids))
    .where(oneOf('account', wallets))
    .executeTakeFirstOrThrow();
  return Number(count);
};
