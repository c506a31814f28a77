import { sql } from 'kysely';
import { signerConnection } from '../../db/signerTables.ts';
import type { Executing } from './executing.ts';

export interface Signers {
  /** How many are connected to the database. */
  connected: number;
  /** Nothing is signed, for anybody, until an operator resumes it. */
  arePaused: boolean;
}

/** Who would sign now. Signers listen on no port, so they are seen by their connections. */
export const signersNow = async ({ db }: Pick<Executing, 'db'>): Promise<Signers> => {
  const { rows } = await sql<Signers>`select
    (select count(*)::int from pg_stat_activity
      where datname = current_database() and application_name = ${signerConnection}) as connected,
    exists(select from signing_pause) as "arePaused"`.execute(db);
  return rows[0] as Signers;
};
