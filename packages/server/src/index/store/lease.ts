import type { Eid } from '@mintage/protocol';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/chainTables.ts';

/**
 * One writer per chain. The lease is a row in the database, on the database's clock; every write checks and renews it
 * in its own transaction, so a writer that has lost it can commit nothing.
 */
const leaseSeconds = 5;

export class LeaseLostError extends Error {
  constructor(eid: Eid) {
    super(`another process writes chain ${eid}, or its position moved`);
    this.name = 'LeaseLostError';
  }
}

export const leaseUntil = sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`;

/** @returns False while another owner holds the lease. */
export const takeLease = async (db: Kysely<Database>, eid: Eid, owner: string): Promise<boolean> => {
  const taken = await db
    .updateTable('chain')
    .set({ lease_owner: owner, lease_until: leaseUntil })
    .where('eid', '=', eid)
    .where((row) =>
      row.or([
        row('lease_owner', 'is', null),
        row('lease_owner', '=', owner),
        row('lease_until', '<', sql<Date>`now()`),
      ]),
    )
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n;
};

export const releaseLease = async (db: Kysely<Database>, eid: Eid, owner: string): Promise<void> => {
  await db
    .updateTable('chain')
    .set({ lease_owner: null, lease_until: null })
    .where('eid', '=', eid)
    .where('lease_owner', '=', owner)
    .execute();
};
