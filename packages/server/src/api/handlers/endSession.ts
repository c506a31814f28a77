import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { endSessions } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const endSession = handler(definitions.endSession, async ({ db, auth, now }, { id }, { caller }) => {
  const ended = await endSessions(db, caller, { id }, now());
  if (ended === 0) throw invalid('id', 'must be one of your sessions that have not ended');
  auth.forgetUser(caller.userId);
  return { success: true };
});
