import { z } from 'zod';
import { operation } from './operation.ts';

export const ready = operation({
  name: 'ready',
  summary: 'Answers 200 once every configured chain is indexed to its head, 503 until then.',
  method: 'GET',
  path: '/ready',
  tag: 'Service',
  input: z.object({}),
  output: z.strictObject({
    status: z.literal('ready').meta({ description: 'All chains are indexed to their heads.' }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  limit: 'none',
  errorShape: 'A',
});
