import type { Eid } from '@mintage/protocol';
import { sql, type Transaction } from 'kysely';
import type { SignerDatabase } from '../../db/signerTables.ts';

type Tx = Transaction<SignerDatabase>;

export interface Reservation {
  /** Id of the API key or grant. */
  credential: string;
  /** UTC, `2030-01-31`. */
  day: string;
  /** Dollars with 18 decimals. */
  usd18: bigint;
}

/**
 * Reserves an amount of a day's budget, or nothing. One statement, so that concurrent reservations together stay below
 * the cap.
 *
 * @param perDayUsd18 - Null: no cap, counted all the same.
 * @returns Whether enough was left.
 */
export const reserve = async (
  tx: Tx,
  { credential, day, usd18 }: Reservation,
  perDayUsd18: bigint | null,
): Promise<boolean> => {
  const cap = perDayUsd18 === null ? null : perDayUsd18.toString();
  const { rows } = await sql`
    insert into budget_day (credential, day, reserved_usd18)
    select ${credential}, ${day}::date, ${usd18.toString()}::numeric
    where ${cap}::numeric is null or ${usd18.toString()}::numeric <= ${cap}::numeric
    on conflict (credential, day) do update
      set reserved_usd18 = budget_day.reserved_usd18 + excluded.reserved_usd18
      where ${cap}::numeric is null or budget_day.reserved_usd18 + excluded.reserved_usd18 <= ${cap}::numeric
    returning 1`.execute(tx);
  return rows.length === 1;
};

/** Releases what an intent reserved, because nothing of it was spent. Repeating it does nothing. */
export const release = async (tx: Tx, eid: Eid, intentId: string): Promise<void> => {
  const intent = await tx
    .selectFrom('intent')
    .select(['credential', 'usd18', sql<string | null>`budget_day::text`.as('day')])
    .where('eid', '=', eid)
    .where('intent_id', '=', intentId)
    .where('usd18', '>', 0n)
    .forUpdate()
    .executeTakeFirst();
  if (intent === undefined || intent.credential === null || intent.day === null) return;
  await tx
    .updateTable('budget_day')
    .set({ reserved_usd18: sql`reserved_usd18 - ${intent.usd18.toString()}::numeric` })
    .where('credential', '=', intent.credential)
    .where('day', '=', intent.day)
    .execute();
  await tx.updateTable('intent').set({ usd18: 0n }).where('eid', '=', eid).where('intent_id', '=', intentId).execute();
};
