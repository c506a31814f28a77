import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { operation } from './operation.ts';

export const authLogin = operation({
  name: 'authLogin',
  summary:
    'Exchanges a signed challenge for an access token and a refresh token. The first sign-in of a wallet creates its account.',
  method: 'POST',
  path: '/auth/login',
  tag: 'Auth',
  input: z.object({
    message: z.string().min(1).max(2_000).meta({ description: 'The text of `/auth/challenge`, unchanged.' }),
    signature: z
      .string()
      .regex(/^(0x)?[a-fA-F0-9]{130}$/, 'must be a signature: 65 bytes in hex')
      .meta({ description: 'EIP-191 signature of the text.' }),
  }),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED'],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  usesUp: true,
  errorShape: 'A',
});
