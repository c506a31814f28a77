import type { Eid } from '@mintage/protocol';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './chainTables.ts';
import { prepared } from './prepared.ts';
import type { Tx } from './serviceTables.ts';

/**
 * What keeps votes and what the index writes apart, until the transaction ends: voters share a chain, and what writes its blocks has it alone.
 * Whoever comes later waits for those who wait already, so that no number of voters keeps a page waiting for long.
 *
 * The order is that of this file, after the user and before targets: where tokens are known, then chains by their eid.
 */

/** A vote is cast with what is known of the token's chains. */
export const shareKnownChains = async (tx: Tx): Promise<void> => {
  await prepared(tx, sql`select pg_advisory_xact_lock_shared(${known})`);
};

/** A token becomes known on one more chain. */
export const takeKnownChains = async (tx: Transaction<Database>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${known})`.execute(tx);
};

/** @param eids - Rows with them. */
export const shareChains = async (tx: Tx, eids: RawBuilder<unknown>): Promise<void> => {
  const shared = sql`select pg_advisory_xact_lock_shared(${lockOf(sql`eid`)})
    from (select distinct eid from ${eids} order by eid) chains`;
  await prepared(tx, shared);
};

export const takeChain = async (tx: Transaction<Database>, eid: Eid): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockOf(sql`${eid}::int8`)})`.execute(tx);
};

const known = sql`hashtextextended('known chains', 0)`;

const lockOf = (eid: RawBuilder<unknown>) => sql`hashtextextended('chain ' || ${eid}, 0)`;
