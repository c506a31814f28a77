import { z } from 'zod';
import { PasskeyId } from '../schemas/passkeyParts.ts';
import { operation } from './operation.ts';

export const removePasskey = operation({
  name: 'removePasskey',
  summary: 'Removes a passkey, such as a lost one, and ends the sessions that it began.',
  description:
    'It signs nobody in from the answer on; access tokens of its sessions stop working within 5 seconds. API keys and ' +
    'applications that were allowed stay: they have lists of their own. Needs a ' +
    'sign-in of the last 5 minutes, but for a passkey that does not act yet. The last way into an account cannot be removed.',
  method: 'POST',
  path: '/auth/passkey/remove',
  tag: 'Auth',
  input: z.strictObject({ id: PasskeyId.meta({ description: 'Of the passkey, as `/auth/passkey/list` has it.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING', 'CONFIRMATION_NEEDED', 'ACCESS_TOO_NEW', 'LAST_WAY_IN'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
