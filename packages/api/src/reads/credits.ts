import type { Row } from '@mintage/indexer/db';
import type { Address } from '../context.ts';
import type { Db } from '../db/db.ts';
import { oneOf } from './oneOf.ts';

/** Which fee credits: of these wallets on these chains, of one distribution type or of all. */
export interface CreditFilter {
  chainIds: readonly number[];
  wallets: readonly Address[];
  kind: number | undefined;
}

/**
 * One page, newest first. Each wallet on each chain is read along its own key, so a page costs its depth and not the
 * length of the history.
 */
export const newestCredits = async (
  db: Db,
  filter: CreditFilter,
  limit: number,
  offset: number,
): Promise<Row<'fee_credit'>[]> => {
  const newestOf = (chainId: number, wallet: Address) =>
    db
      .selectFrom(
        ofKind(db, filter)
          .selectAll()
          .where('chain_id', '=', chainId)
          .where('recipient', '=', wallet)
          .orderBy('block_number', 'desc')
          .orderBy('log_index', 'desc')
          .orderBy('part', 'desc')
          .limit(offset + limit)
          .as('newest'),
      )
      .selectAll();
  const [first, ...others] = filter.chainIds.flatMap((chainId) =>
    filter.wallets.map((wallet) => newestOf(chainId, wallet)),
  );
  if (!first) return [];
  return db
    .selectFrom(others.reduce((all, next) => all.unionAll(next), first).as('credit'))
    .selectAll()
    .orderBy('time', 'desc')
    .orderBy('chain_id')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .orderBy('part', 'desc')
    .orderBy('recipient')
    .limit(limit)
    .offset(offset)
    .execute();
};

export const countCredits = async (db: Db, filter: CreditFilter): Promise<number> => {
  const { count } = await ofKind(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(oneOf('chain_id', filter.chainIds))
    .where(oneOf('recipient', filter.wallets))
    .executeTakeFirstOrThrow();
  return count;
};

const ofKind = (db: Db, { kind }: CreditFilter) => {
  const credits = db.selectFrom('fee_credit');
  return kind === undefined ? credits : credits.where('distribution_type', '=', kind);
};
