import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const og = operation({
  name: 'og',
  summary: 'Returns the picture that sites show beside a link to a token, 1200 by 630.',
  description:
    'The coin with its rim, name, symbol, chain, market cap, how much of the money is raised, and the name of the platform. ' +
    'A picture is at most 60 seconds old. There is none of a token that an operator took down. A token whose own picture cannot be had is shown by the first letter of its symbol.',
  method: 'GET',
  path: '/og/:token',
  tag: 'Service',
  input: z.object({
    token: z
      .string()
      .regex(/^[^/]+\.png$/i, 'must be a token and .png')
      .max(128)
      .meta({
        description: 'A token by slug, id, platform id or address, and `.png` after it.',
      }),
  }),
  output: Content,
  produces: 'image/png',
  atRoot: true,
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
