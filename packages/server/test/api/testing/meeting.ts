import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db, Tx } from '../../../src/db/serviceTables.ts';

/**
 * Makes calls meet: holds what the last statements of all of them need, makes them one after the other, each once the one before it
 * waits, and lets go.
 *
 * @param held - A statement, or whatever else, that locks it.
 */
export const meeting = async <Answer>(
  db: Db,
  held: { execute(tx: Tx): Promise<unknown> },
  calls: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> => {
  const answers: Promise<Answer>[] = [];
  await db.transaction().execute(async (tx) => {
    await held.execute(tx);
    for (const call of calls) {
      answers.push(call());
      await expect.poll(() => waiting(db)).toBe(answers.length);
    }
  });
  return Promise.all(answers);
};

/** How many statements of this database wait for a lock; a transaction would be told the same each time. */
const waiting = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
};
