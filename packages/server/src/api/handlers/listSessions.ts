import { definitions } from '@mintage/protocol/operations';
import { sessionsOf } from '../accounts/sessions.ts';
import { handler } from './handler.ts';

export const listSessions = handler(definitions.listSessions, async ({ db, now }, _input, { caller }) => ({
  sessions: await sessionsOf(db, caller, now()),
}));
