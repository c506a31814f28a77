import { z } from 'zod';
import { operation } from './operation.ts';

export const health = operation({
  name: 'health',
  summary: 'Answers 200 while the process runs.',
  method: 'GET',
  path: '/health',
  tag: 'Service',
  input: z.object({}),
  output: z.strictObject({ status: z.literal('ok').meta({ description: 'The process runs.' }) }),
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  limit: 'none',
  errorShape: 'A',
});
