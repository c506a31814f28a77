import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { handler } from './handler.ts';

export const pauseExecution = handler(definitions.pauseExecution, async ({ db }, _input, { caller }) => {
  // The signer holds this row while it signs: when the pause is stored, nothing is under way any more.
  const { paused_at } = await db
    .insertInto('embedded_wallet')
    .values({ user_id: caller.userId, paused_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ paused_at: sql<Date>`coalesce(embedded_wallet.paused_at, now())` }),
    )
    .returning('paused_at')
    .executeTakeFirstOrThrow();
  return { success: true, pausedAt: (paused_at as Date).toISOString() };
});
