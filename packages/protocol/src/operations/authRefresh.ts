import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { operation } from './operation.ts';

export const authRefresh = operation({
  name: 'authRefresh',
  summary: 'Gives a new access token and a new refresh token for a refresh token.',
  description: 'A refresh token is good once. When a used one comes again, the whole session ends.',
  method: 'POST',
  path: '/auth/refresh',
  tag: 'Auth',
  input: z.object({ refreshToken: z.string().min(1).max(256) }),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
