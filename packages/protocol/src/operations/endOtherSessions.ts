import { z } from 'zod';
import { operation } from './operation.ts';

export const endOtherSessions = operation({
  name: 'endOtherSessions',
  summary: 'Ends all sessions of the user but the one that asks.',
  description:
    'As `/auth/sessions/end` does with one. Asked with the token of another issuer, it ends all that `/auth/sessions/list` has; other ' +
    'sign-ins at that issuer end there.',
  method: 'POST',
  path: '/auth/sessions/end-others',
  tag: 'Auth',
  input: z.strictObject({}),
  output: z.strictObject({
    success: z.literal(true),
    ended: z.int().nonnegative().meta({ description: 'How many sessions were ended.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
