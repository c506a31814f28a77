import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const metrics = operation({
  name: 'metrics',
  summary: 'Returns the metrics of this process for Prometheus.',
  method: 'GET',
  path: '/metrics',
  tag: 'Service',
  input: z.object({}),
  output: Content,
  produces: 'text/plain',
  errors: [],
  access: 'public',
  scope: 'read',
  atRoot: true,
  limit: 'none',
  errorShape: 'A',
});
