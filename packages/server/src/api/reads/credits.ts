import type { Address, Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { eachPart, newestRows } from './newestRows.ts';
import { oneOf } from './oneOf.ts';

/** Selects fee credits by wallets, chains and distribution type; absent: all types. */
export interface CreditFilter {
  eids: readonly Eid[];
  wallets: readonly Address[];
  /** Number of `distributionTypes` in protocol. */
  kind: number | undefined;
}

/**
 * One page, newest first. Credits are read along the key, by wallet, chain and kind, so the cost of a page depends on
 * its depth and the number of kinds, not on the length of the history.
 */
export const newestCredits = async (
  db: Db,
  filter: CreditFilter,
  limit: number,
  offset: number,
): Promise<Row<'fee_credit'>[]> =>
  newestRows({ from: null, until: null }, limit, (parts) =>
    db
      .selectFrom(sums(db, 'fee_sum', filter).select(['eid', 'recipient', 'distribution_type']).as('of'))
      .innerJoinLateral(
        ({ selectFrom }) =>
          eachPart(parts, (isWithin) =>
            selectFrom('fee_credit')
              .selectAll()
              .whereRef('eid', '=', 'of.eid')
              .whereRef('recipient', '=', 'of.recipient')
              .whereRef('distribution_type', '=', 'of.distribution_type')
              .where(isWithin)
              .orderBy('time', 'desc')
              .orderBy('block_number', 'desc')
              .orderBy('log_index', 'desc')
              .orderBy('part', 'desc')
              .limit(offset + limit),
          ).as<'credit'>(sql`credit`),
        (join) => join.onTrue(),
      )
      .selectAll('credit')
      .orderBy('credit.time', 'desc')
      .orderBy('credit.eid')
      .orderBy('credit.block_number', 'desc')
      .orderBy('credit.log_index', 'desc')
      .orderBy('credit.part', 'desc')
      .orderBy('credit.recipient')
      .limit(limit)
      .offset(offset)
      .execute(),
  );

/** Of the credits that are kept. */
export const countCredits = async (db: Db, filter: CreditFilter): Promise<number> => {
  const [all, gone] = await Promise.all(
    (['fee_sum', 'fee_before'] as const).map((table) =>
      sums(db, table, filter).select(sql<bigint | null>`sum(credits)`.as('count')).executeTakeFirstOrThrow(),
    ),
  );
  return Number(all?.count ?? 0n) - Number(gone?.count ?? 0n);
};

const sums = (db: Db, table: 'fee_sum' | 'fee_before', { eids, wallets, kind }: CreditFilter) => {
  const all = db.selectFrom(table).where(oneOf('eid', eids)).where(oneOf('recipient', wallets));
  return kind === undefined ? all : all.where('distribution_type', '=', kind);
};
