import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { operation } from './operation.ts';

export const authRefresh = operation({
  name: 'authRefresh',
  summary: 'Exchanges a refresh token for a new access token and a new refresh token.',
  description:
    'Each refresh token is valid once. When no answer came, the same one can be sent once more within a minute, as long as the ' +
    'token that was issued for it is not used. Any other reuse ends the whole session.',
  method: 'POST',
  path: '/auth/refresh',
  tag: 'Auth',
  input: z.object({
    refreshToken: z.string().min(1).max(256).meta({ description: 'The newest that this session was given.' }),
  }),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  usesUp: true,
  errorShape: 'A',
});
