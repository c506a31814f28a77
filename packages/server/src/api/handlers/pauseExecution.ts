import { families } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { holdWallets } from '../accounts/pause.ts';
import { handler } from './handler.ts';

/** The pause is in the user's wallets, so there has to be one, requested or made. */
const types = new Set(Object.values(families).map(({ type }) => type));

export const pauseExecution = handler(definitions.pauseExecution, async ({ db }, _input, { caller }) => {
  const { userId } = caller;
  const rows = Array.from(types, (chain_type) => ({ user_id: userId, chain_type }));
  const { paused_at } = await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('embedded_wallet')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // The signer locks these rows while it signs, so once the pause is stored no signature is in progress.
    await holdWallets(tx, userId);
    const since = sql<Date>`coalesce((select min(paused_at) from embedded_wallet where user_id = ${userId}), now())`;
    return tx
      .updateTable('embedded_wallet')
      .set({ paused_at: since })
      .where('user_id', '=', userId)
      .returning('paused_at')
      .executeTakeFirstOrThrow();
  });
  return { success: true, pausedAt: (paused_at as Date).toISOString() };
});
