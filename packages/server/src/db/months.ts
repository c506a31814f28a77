import { type Kysely, sql } from 'kysely';
import type { Database } from './chainTables.ts';

/** The tables whose rows are kept by month (UTC), each month in a part of its own, by the `time` of their block. */
export const monthlyTables = ['trade', 'transfer', 'fee_credit'] as const;

/** The first moment of the month (UTC) of `time`, or of the one so many months later; before it, where negative. */
export const monthOf = (time: Date, later = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + later));

/** Makes the parts for rows of these times where they are missing: a row without one cannot be written. Readers do not wait. */
export const makeMonths = async (db: Kysely<Database>, times: readonly Date[]): Promise<void> => {
  const months = new Set(times.map((time) => monthOf(time).getTime()));
  for (const month of months) await sql`select make_month(${new Date(month)})`.execute(db);
};
