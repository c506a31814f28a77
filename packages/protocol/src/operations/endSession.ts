import { z } from 'zod';
import { SessionId } from '../schemas/sessionParts.ts';
import { operation } from './operation.ts';

export const endSession = operation({
  name: 'endSession',
  summary: 'Ends a session of the user, such as that of a lost device.',
  description:
    'It is given no further tokens from the answer on; those that it has stop working within 5 seconds. API keys and applications ' +
    'that it allowed stay: they have lists of their own.',
  method: 'POST',
  path: '/auth/sessions/end',
  tag: 'Auth',
  input: z.strictObject({ id: SessionId.meta({ description: 'Of the session, as `/auth/sessions/list` has it.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
