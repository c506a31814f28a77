import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const docs = operation({
  name: 'docs',
  summary: 'Returns the reference of this interface as pages to read and try; it works without a network.',
  method: 'GET',
  path: '/docs',
  tag: 'Service',
  input: z.object({}),
  output: Content,
  produces: 'text/html',
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
