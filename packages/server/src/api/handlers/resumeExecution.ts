import { definitions } from '@mintage/protocol/operations';
import { requireConfirmation } from '../accounts/newAccess.ts';
import { holdWallets } from '../accounts/pause.ts';
import { holdSession } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const resumeExecution = handler(definitions.resumeExecution, async (context, _input, { caller }) => {
  const { db, now } = context;
  await requireConfirmation(context, caller);
  await db.transaction().execute(async (tx) => {
    await holdSession(tx, caller, now());
    await holdWallets(tx, caller.userId);
    await tx.updateTable('embedded_wallet').set({ paused_at: null }).where('user_id', '=', caller.userId).execute();
  });
  return { success: true };
});
