import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/**
 * CPU that the connections to this database have taken so far, milliseconds, without the asker's own. The server has to be on this machine,
 * which has to run Linux.
 */
export const databaseCpuMs = async (asker: pg.Client): Promise<number> => {
  const { rows } = await asker.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const taken = await Promise.all(rows.map(({ pid }) => readFile(`/proc/${pid}/schedstat`, 'utf8')));
  return taken.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
};
