import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const docs = operation({
  name: 'docs',
  summary: 'Returns the first page of the documentation, which is served at `/docs`; it works without a network.',
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
