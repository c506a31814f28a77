import { z } from 'zod';
import { operation } from './operation.ts';

export const authLogout = operation({
  name: 'authLogout',
  summary: 'Ends the session that a refresh token belongs to.',
  description: 'An access token of the session is refused within 5 seconds. An unknown refresh token changes nothing.',
  method: 'POST',
  path: '/auth/logout',
  tag: 'Auth',
  input: z.object({ refreshToken: z.string().min(1).max(256).meta({ description: 'Of the session that ends.' }) }),
  output: z.strictObject({ success: z.literal(true) }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
