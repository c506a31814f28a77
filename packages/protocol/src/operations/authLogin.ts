import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { signedTextFields } from '../schemas/walletText.ts';
import { operation } from './operation.ts';

export const authLogin = operation({
  name: 'authLogin',
  summary:
    'Exchanges a signed challenge for an access token and a refresh token. The first sign-in of a wallet creates its account.',
  method: 'POST',
  path: '/auth/login',
  tag: 'Auth',
  input: z.object(signedTextFields('/auth/challenge')),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  usesUp: true,
  errorShape: 'A',
});
