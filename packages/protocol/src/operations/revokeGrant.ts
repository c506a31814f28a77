import { z } from 'zod';
import { GrantId } from '../schemas/grantParts.ts';
import { operation } from './operation.ts';

export const revokeGrant = operation({
  name: 'revokeGrant',
  summary: 'Revokes an application’s access. Its tokens stop working within 5 seconds.',
  description: 'Nothing more is signed for it. The application can ask for access again; only you can allow it.',
  method: 'POST',
  path: '/grants/revoke',
  tag: 'Auth',
  input: z.strictObject({ id: GrantId.meta({ description: 'Of the grant, as `/grants/list` has it.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: ['AUTHENTICATION_FAILED', 'SCOPE_MISSING'],
  access: 'session',
  scope: 'execute',
  limit: 'write',
  errorShape: 'A',
});
