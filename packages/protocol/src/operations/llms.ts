import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const llms = operation({
  name: 'llms',
  summary: 'Returns, as plain text for language models (llms.txt), what this service is and how an assistant uses it.',
  method: 'GET',
  path: '/llms.txt',
  tag: 'Service',
  input: z.object({}),
  output: Content,
  produces: 'text/plain',
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  errorShape: 'A',
});
