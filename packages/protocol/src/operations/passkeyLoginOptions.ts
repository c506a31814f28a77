import { z } from 'zod';
import { PasskeyRequestOptions } from '../schemas/passkeyParts.ts';
import { IsoTime } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const passkeyLoginOptions = operation({
  name: 'passkeyLoginOptions',
  summary: 'Returns what a browser needs to sign in with a passkey.',
  description:
    '`PublicKeyCredential.parseRequestOptionsFromJSON(options)` makes of it what `navigator.credentials.get()` takes. It names ' +
    'no user: the browser offers the passkeys that it finds.',
  method: 'POST',
  path: '/auth/passkey/login-options',
  tag: 'Auth',
  input: z.strictObject({}),
  output: z.strictObject({
    options: PasskeyRequestOptions,
    expiresAt: IsoTime.meta({ description: 'Until when it can be signed in with.' }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  errorShape: 'A',
  example: {},
});
