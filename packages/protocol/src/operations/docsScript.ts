import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const docsScript = operation({
  name: 'docsScript',
  summary: 'Returns the script of the docs pages.',
  method: 'GET',
  path: '/docs/reference.js',
  tag: 'Service',
  input: z.object({}),
  output: Content,
  produces: 'text/javascript',
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
