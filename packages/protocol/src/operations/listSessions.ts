import { z } from 'zod';
import { UserSession } from '../schemas/sessionParts.ts';
import { operation } from './operation.ts';

export const listSessions = operation({
  name: 'listSessions',
  summary: 'Lists the sign-ins of the user that have not ended, newest first.',
  description:
    'Those that wallets and passkeys began. A sign-in at another issuer, whose token the service takes, is kept there and is not ' +
    'listed here.',
  method: 'POST',
  path: '/auth/sessions/list',
  tag: 'Auth',
  input: z.object({}),
  output: z.strictObject({ sessions: z.array(UserSession) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'read',
  errorShape: 'A',
});
