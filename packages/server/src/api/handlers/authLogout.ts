import { endSession } from '../accounts/sessions.ts';
import type { HandlerOf } from './context.ts';

export const authLogout: HandlerOf<'authLogout'> = async ({ db }, input) => {
  await endSession(db, input.refreshToken);
  return { success: true };
};
