import { sql } from 'kysely';
import type { Address } from '../../chain/servedChain.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from './oneOf.ts';

/** Which fee credits: of these wallets on these chains, of one distribution type or of all. */
export interface CreditFilter {
  chainIds: readonly number[];
  wallets: readonly Address[];
  kind: number | undefined;
}

/**
 * One page, newest first. What a wallet earned on one chain of one kind is read along the key, so a page costs its depth,
 * once for each kind, and not the length of the history.
 */
export const newestCredits = async (
  db: Db,
  filter: CreditFilter,
  limit: number,
  offset: number,
): Promise<Row<'fee_credit'>[]> =>
  db
    .selectFrom(sums(db, filter).select(['chain_id', 'recipient', 'distribution_type']).as('of'))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('fee_credit')
          .selectAll()
          .whereRef('chain_id', '=', 'of.chain_id')
          .whereRef('recipient', '=', 'of.recipient')
          .whereRef('distribution_type', '=', 'of.distribution_type')
          .orderBy('block_number', 'desc')
          .orderBy('log_index', 'desc')
          .orderBy('part', 'desc')
          .limit(offset + limit)
          .as('credit'),
      (join) => join.onTrue(),
    )
    .selectAll('credit')
    .orderBy('credit.time', 'desc')
    .orderBy('credit.chain_id')
    .orderBy('credit.block_number', 'desc')
    .orderBy('credit.log_index', 'desc')
    .orderBy('credit.part', 'desc')
    .orderBy('credit.recipient')
    .limit(limit)
    .offset(offset)
    .execute();

export const countCredits = async (db: Db, filter: CreditFilter): Promise<number> => {
  const { count } = await sums(db, filter)
    .select(sql<bigint | null>`sum(credits)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(count ?? 0n);
};

const sums = (db: Db, { chainIds, wallets, kind }: CreditFilter) => {
  const all = db.selectFrom('fee_sum').where(oneOf('chain_id', chainIds)).where(oneOf('recipient', wallets));
  return kind === undefined ? all : all.where('distribution_type', '=', kind);
};
