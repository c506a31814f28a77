import { z } from 'zod';
import { Passkey } from '../schemas/passkeyParts.ts';
import { operation } from './operation.ts';

export const listPasskeys = operation({
  name: 'listPasskeys',
  summary: 'Lists the passkeys of the caller’s account, newest first.',
  method: 'POST',
  path: '/auth/passkey/list',
  tag: 'Auth',
  input: z.object({}),
  output: z.strictObject({ passkeys: z.array(Passkey) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: {},
});
