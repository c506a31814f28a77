import { z } from 'zod';
import { optional } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const checkUsername = operation({
  name: 'checkUsername',
  summary: 'Says whether a username is free.',
  description:
    'Names that look alike count as one: a name with `1` for `l`, `rn` for `m`, or another number of `_` is taken with the first.',
  method: 'POST',
  path: '/check-username',
  tag: 'People',
  input: z.object({ username: z.string().max(64).meta({ description: 'The name to look for.' }) }),
  output: z.object({
    success: z.literal(true),
    available: z.boolean().meta({ description: 'Whether nobody has it, nor one like it, and it may be taken.' }),
    reason: optional(z.enum(['invalid', 'reserved', 'taken'])).meta({
      description: 'Why not: its form, a word of the service, or somebody has it or one like it. Absent: it is free.',
    }),
  }),
  errors: [],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { username: 'paper_boat' },
});
