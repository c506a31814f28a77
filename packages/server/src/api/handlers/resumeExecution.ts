import { holdSession } from '../accounts/sessions.ts';
import type { HandlerOf } from './context.ts';

export const resumeExecution: HandlerOf<'resumeExecution'> = async ({ db, now }, _input, { caller }) => {
  await db.transaction().execute(async (tx) => {
    await holdSession(tx, caller, now());
    await tx.updateTable('embedded_wallet').set({ paused_at: null }).where('user_id', '=', caller.userId).execute();
  });
  return { success: true };
};
