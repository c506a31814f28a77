import { z } from 'zod';
import { PasskeyCreationOptions } from '../schemas/passkeyParts.ts';
import { IsoTime } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const passkeyRegisterOptions = operation({
  name: 'passkeyRegisterOptions',
  summary: 'Returns what a browser needs to create a passkey.',
  description: [
    'Without a credential: for a new account, which exists once `/auth/passkey/register` has answered. Signed in: for a further',
    'passkey of the same account.',
    '',
    '`PublicKeyCredential.parseCreationOptionsFromJSON(options)` makes of it what `navigator.credentials.create()` takes. A',
    'passkey is good for the host name of the web app (`APP_URL`) and for nothing else.',
  ].join('\n'),
  method: 'POST',
  path: '/auth/passkey/register-options',
  tag: 'Auth',
  input: z.strictObject({}),
  output: z.strictObject({
    options: PasskeyCreationOptions,
    expiresAt: IsoTime.meta({ description: 'Until when the passkey can be registered.' }),
  }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'TOO_MANY_PASSKEYS'],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  errorShape: 'A',
  example: {},
});
