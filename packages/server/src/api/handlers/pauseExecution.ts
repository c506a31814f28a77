import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { handler } from './handler.ts';

export const pauseExecution = handler(definitions.pauseExecution, async ({ db }, _input, { caller }) => {
  // The signer locks this row while it signs, so once the pause is stored no signature is in progress.
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
