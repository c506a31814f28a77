import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/chainTables.ts';
import { monthlyTables, monthOf } from '../db/months.ts';

/**
 * Drops the months of trades, transfers and fee credits that are older than an operator keeps. Sums stay, and what windows,
 * rankings and counts still need of the rows is kept beside them. As many whole months are kept before the one in which the
 * chain that is furthest behind was last near its head; while one never was, all are.
 *
 * @param months - At least 2: an undo and the rolling windows reach back into the last whole month.
 * @returns Since when history is kept; null when there was nothing to drop, or another process does it.
 * @throws When readers hold the tables for long; nothing is dropped then.
 */
export const dropMonths = (db: Kysely<Database>, months: number): Promise<Date | null> =>
  db.transaction().execute(async (tx) => {
    if (!(await isAlone(tx))) return null;
    const from = await cutOf(tx, months);
    if (from === null) return null;
    if (!(await hasPartsBefore(tx, from))) return null;
    await keepFigures(tx, from);
    // From here on readers wait. Pages lock the row of their chain first, and so do we.
    await sql`set local lock_timeout = '200ms'`.execute(tx);
    await tx.updateTable('chain').set({ history_from: from }).execute();
    await sql`select drop_months(${from})`.execute(tx);
    return from;
  });

const isAlone = async (tx: Transaction<Database>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_xact_lock(hashtext('drop_months')) as is`.execute(
    tx,
  );
  return rows[0]?.is ?? false;
};

const cutOf = async (tx: Transaction<Database>, months: number): Promise<Date | null> => {
  const chains = await tx.selectFrom('chain').select('rolled_time').execute();
  const times = chains.map(({ rolled_time: time }) => time?.getTime() ?? Number.NaN);
  const last = Math.min(...times);
  return Number.isFinite(last) ? monthOf(new Date(last), -months) : null;
};

/** Whether there are parts whose months end by `from`. */
const hasPartsBefore = async (tx: Transaction<Database>, from: Date): Promise<boolean> => {
  const { rows } = await sql`
    select from unnest(${[...monthlyTables]}::text[]) whole
    join pg_inherits on inhparent = to_regclass(whole) join pg_class part on part.oid = inhrelid
    where part.relname < whole || to_char(${from} at time zone 'UTC', '_YYYY_MM') limit 1`.execute(tx);
  return rows.length > 0;
};

const keepFigures = async (tx: Transaction<Database>, from: Date): Promise<void> => {
  await sql`insert into token_before (eid, token, price_usd18, progress_pct18)
    select distinct on (eid, token) eid, token, price_usd18, progress_pct18 from trade where time < ${from}
    order by eid, token, time desc, block_number desc, log_index desc
    on conflict (eid, token) do update set price_usd18 = excluded.price_usd18, progress_pct18 = excluded.progress_pct18`.execute(
    tx,
  );
  await sql`insert into token_before (eid, token, holders)
    select distinct on (eid, token) eid, token, holders from transfer where time < ${from}
    order by eid, token, time desc, block_number desc, log_index desc
    on conflict (eid, token) do update set holders = excluded.holders`.execute(tx);
  await sql`insert into fee_before (eid, recipient, distribution_type, credits, earned)
    select eid, recipient, distribution_type, count(*), coalesce(sum(amount) filter (where currency = chain.usd), 0)
    from fee_credit join chain using (eid) where time < ${from} group by eid, recipient, distribution_type
    on conflict (eid, recipient, distribution_type) do update set credits = fee_before.credits + excluded.credits,
      earned = fee_before.earned + excluded.earned`.execute(tx);
};
