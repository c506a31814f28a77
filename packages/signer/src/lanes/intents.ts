import type { ErrorCode } from '@mintage/protocol';
import { type Expression, sql } from 'kysely';
import type { Context, Lane, Tx } from '../context.ts';
import { signedChannel } from '../db/db.ts';

/** Why an intent or step ends, a code of the catalogue and a sentence. */
export interface Reason {
  code: ErrorCode;
  message: string;
}

export const databaseNow: Expression<Date> = sql<Date>`now()`;

/** Tells whoever waits, once the transaction is committed. */
export const tell = async (tx: Tx, intentId: string): Promise<void> => {
  await sql`select pg_notify(${signedChannel}, ${intentId})`.execute(tx);
};

/** Nothing of the intent was or will be signed. */
export const refuse = async (tx: Tx, { chain }: Lane, intentId: string, { code, message }: Reason): Promise<void> => {
  await tx
    .updateTable('intent')
    .set({ status: 'refused', error_code: code, error: message, ended_at: databaseNow })
    .where('chain_id', '=', chain.chainId)
    .where('intent_id', '=', intentId)
    .where('status', '=', 'queued')
    .execute();
  await tell(tx, intentId);
};

/** Refuses what nobody signed in time, on every chain of these, whether or not it answers. By the database's clock. */
export const refuseExpired = async ({ db, log }: Context, chainIds: readonly number[]): Promise<void> => {
  const expired = await db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('intent')
      .set({
        status: 'refused',
        error_code: 'DEADLINE_PASSED',
        error: 'The deadline passed before the transaction could be signed.',
        ended_at: databaseNow,
      })
      .where('chain_id', 'in', chainIds)
      .where('status', '=', 'queued')
      .where('expires_at', '<=', databaseNow)
      .returning('intent_id')
      .execute();
    for (const { intent_id } of rows) await tell(tx, intent_id);
    return rows;
  });
  for (const { intent_id } of expired) log.info({ intent: intent_id, code: 'DEADLINE_PASSED' }, 'refused');
};
