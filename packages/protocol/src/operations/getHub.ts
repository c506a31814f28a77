import { z } from 'zod';
import { Hub } from '../schemas/hubs.ts';
import { TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const getHub = operation({
  name: 'getHub',
  summary: 'Returns the hub of a token: where people speak of it.',
  description: 'Every token has one. A credential that may read adds what it is to the caller.',
  method: 'POST',
  path: '/get-hub',
  tag: 'People',
  input: z.object({ token_id: TokenRef }),
  output: z.object({ success: z.literal(true), hub: Hub }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'paper-boat' },
});
