import { definitions } from '@mintage/protocol/operations';
import { endSessionOf } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const authLogout = handler(definitions.authLogout, async ({ db }, input) => {
  await endSessionOf(db, input.refreshToken);
  return { success: true };
});
