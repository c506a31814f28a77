import { sql } from 'kysely';
import type { Db } from '../../../src/db/serviceTables.ts';

/** At least as many as the connection pool of `testDatabase` has. */
const connections = 10;

/**
 * Runs the work on a read-only database, which a server may become when its disk is full.
 *
 * @param db - Of the database's owner.
 * @param others - With open connections too.
 */
export const whileReadOnly = async <T>(db: Db, work: () => Promise<T>, ...others: Db[]): Promise<T> => {
  const pools = [db, ...others];
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name as string);
  await sql`alter database ${database} set default_transaction_read_only = on`.execute(db);
  try {
    for (const pool of pools) await onEveryConnection(pool, 'on');
    return await work();
  } finally {
    for (const pool of pools) await onEveryConnection(pool, 'off');
    await sql`alter database ${database} reset default_transaction_read_only`.execute(db);
  }
};

/** The setting of the database applies to connections opened later, so all open ones are changed too. */
const onEveryConnection = async (db: Db, value: 'on' | 'off'): Promise<void> => {
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let set = 0;
  const one = () =>
    db.connection().execute(async (connection) => {
      await sql`set default_transaction_read_only = ${sql.raw(value)}`.execute(connection);
      set += 1;
      if (set === connections) resolve();
      await all;
    });
  await Promise.all(Array.from({ length: connections }, one));
};
