import { z } from 'zod';
import { TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';
import { TokenAbout } from './searchToken.ts';

export const getTokenAbout = operation({
  name: 'getTokenAbout',
  summary: 'Returns the details of one token that do not change with each trade.',
  method: 'POST',
  path: '/get-token-about',
  tag: 'Tokens',
  input: z.object({ token_id: TokenRef }),
  output: z.object({ success: z.literal(true), token: TokenAbout }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token' },
});
