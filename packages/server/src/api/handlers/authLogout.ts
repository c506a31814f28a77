import { definitions } from '@mintage/protocol/operations';
import { endSession } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const authLogout = handler(definitions.authLogout, async ({ db }, input) => {
  await endSession(db, input.refreshToken);
  return { success: true };
});
