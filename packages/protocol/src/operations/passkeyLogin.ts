import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { UsedPasskey } from '../schemas/passkeyParts.ts';
import { operation } from './operation.ts';

export const passkeyLogin = operation({
  name: 'passkeyLogin',
  summary: 'Exchanges what a passkey signed for an access token and a refresh token.',
  description: 'Each set of options is good for one sign-in. The session ends when the passkey is removed.',
  method: 'POST',
  path: '/auth/passkey/login',
  tag: 'Auth',
  input: z.strictObject({ credential: UsedPasskey.meta({ description: '`toJSON()` of the credential.' }) }),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  usesUp: true,
  errorShape: 'A',
});
