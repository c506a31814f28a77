import { z } from 'zod';
import { operation } from './operation.ts';

export const openapi = operation({
  name: 'openapi',
  summary: 'Returns the OpenAPI 3.1 document of this interface.',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  input: z.object({}),
  output: z.looseObject({ openapi: z.literal('3.1.0').meta({ description: 'Version of the format.' }) }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
