import { sql } from 'kysely';
import type { Db } from '../../../src/db/serviceTables.ts';

/** As many as a pool of `testDatabase` has at most. */
const connections = 10;

/** Does it on a database that only reads, which one whose disk is full can become. */
export const whileReadOnly = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name as string);
  await sql`alter database ${database} set default_transaction_read_only = on`.execute(db);
  try {
    await onEveryConnection(db, 'on');
    return await work();
  } finally {
    await onEveryConnection(db, 'off');
    await sql`alter database ${database} reset default_transaction_read_only`.execute(db);
  }
};

/** What the database says counts for connections that are opened later. */
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
