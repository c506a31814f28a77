import { MintageError } from '@mintage/protocol';
import { signIn } from '../auth/budgets.ts';
import type { HandlerOf } from '../context.ts';

export const resumeExecution: HandlerOf<'resumeExecution'> = async ({ db }, _input, { caller }) => {
  if (caller.method !== 'jwt') {
    throw new MintageError('SCOPE_MISSING', 'Only the access token of a sign-in resumes execution', {
      details: signIn,
    });
  }
  await db.updateTable('embedded_wallet').set({ paused_at: null }).where('user_id', '=', caller.userId).execute();
  return { success: true };
};
