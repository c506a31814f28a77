import { z } from 'zod';
import { Grant } from '../schemas/grantParts.ts';
import { operation } from './operation.ts';

export const listGrants = operation({
  name: 'listGrants',
  summary:
    'Lists the applications that the caller gave access through the tool server, newest first; ended grants are left out.',
  method: 'POST',
  path: '/grants/list',
  tag: 'Auth',
  input: z.object({}),
  output: z.strictObject({ grants: z.array(Grant) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'caller',
  scope: 'read',
  errorShape: 'A',
  example: {},
});
