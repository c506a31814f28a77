import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const avatar = operation({
  name: 'avatar',
  summary: 'Draws the picture of a user or wallet that has given none.',
  description: 'It follows from the id or address alone, and never changes.',
  method: 'GET',
  path: '/avatar/:whose',
  tag: 'People',
  input: z.object({
    whose: z
      .string()
      .regex(/^[0-9A-Za-z-]{1,90}\.svg$/, 'must be a user’s id or a wallet, and .svg')
      .meta({ description: 'Id of a user or address of a wallet, and `.svg` after it.' }),
  }),
  output: Content,
  produces: 'image/svg+xml',
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
