import { z } from 'zod';
import { AuthSession } from '../schemas/authSession.ts';
import { CreatedPasskey } from '../schemas/passkeyParts.ts';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const passkeyRegister = operation({
  name: 'passkeyRegister',
  summary: 'Registers a new passkey and signs in with it: of a new account, or a further one of the account signed in.',
  description: [
    'Send it as it was when the options were asked for: without a credential for a new account, else with a sign-in of the same',
    'user. An API key or an application cannot add a passkey. The session of the answer ends when the passkey is removed; the',
    'one that asked goes on. At most 20 passkeys per account.',
    '',
    'A new account has no wallet of its own. Its embedded wallet is made when it is first needed. Offer a second passkey or a',
    'linked wallet before money goes in: who loses the only passkey loses the account. `signIn` of `/me` says what there is.',
  ].join('\n'),
  method: 'POST',
  path: '/auth/passkey/register',
  tag: 'Auth',
  input: z.strictObject({
    credential: CreatedPasskey.meta({ description: '`toJSON()` of the new credential.' }),
    name: optional(z.string().trim().min(1).max(64)).meta({
      description: 'By which the user tells it from others: at most 64 characters. Absent: `Passkey`.',
    }),
  }),
  output: AuthSession,
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'TOO_MANY_PASSKEYS'],
  access: 'public',
  scope: 'read',
  limit: 'signIn',
  usesUp: true,
  errorShape: 'A',
});
