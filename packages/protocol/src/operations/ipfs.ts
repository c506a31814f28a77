import { z } from 'zod';
import { Content, operation } from './operation.ts';

export const ipfs = operation({
  name: 'ipfs',
  summary: 'Returns a stored file by its content address.',
  description:
    'Images, metadata and videos of tokens; `ipfs://<cid>` resolves here. A file never changes; one that an operator took out of service answers 451.',
  method: 'GET',
  path: '/ipfs/:cid',
  tag: 'Service',
  input: z.object({
    cid: z
      .string()
      .regex(/^[0-9A-Za-z]{46,128}$/, 'must be a CID')
      .meta({ description: 'CIDv1 in base32.' }),
  }),
  output: Content,
  produces: 'application/octet-stream',
  errors: ['MEDIA_WITHDRAWN'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
});
