import { definitions } from '@mintage/protocol/operations';
import { endSessions } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const endOtherSessions = handler(definitions.endOtherSessions, async ({ db, auth, now }, _input, { caller }) => {
  const ended = await endSessions(db, caller, 'others', now());
  auth.forgetUser(caller.userId);
  return { success: true, ended };
});
