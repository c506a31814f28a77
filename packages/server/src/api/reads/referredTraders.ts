import type { Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Reading } from '../tokens/reading.ts';
import { oneOf } from './oneOf.ts';

/** Different wallets that have one of `referrers` as protocol referrer on one of the chains and traded there. */
export const countReferredTraders = async (
  { db }: Reading,
  eids: readonly Eid[],
  referrers: readonly string[],
): Promise<number> => {
  const { count } = await db
    .selectFrom('referrer')
    .select(sql<number>`count(distinct referrer.trader)`.as('count'))
    .where(oneOf('referrer.eid', eids))
    .where(oneOf('referrer.referrer', referrers))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('trader')
          .select('trader.eid')
          .whereRef('trader.eid', '=', 'referrer.eid')
          .whereRef('trader.wallet', '=', 'referrer.trader'),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
};
