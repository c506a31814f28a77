import { z } from 'zod';
import { ModerationReason } from '../schemas/moderation.ts';
import { NamedUser } from '../schemas/people.ts';
import { operation } from './operation.ts';

export const suspendUser = operation({
  name: 'suspendUser',
  summary: 'Has a user say nothing more, who trades and claims as before and reads why; or lets them speak again.',
  description: 'For operators, who cannot suspend themselves. What the user said before stays.',
  method: 'POST',
  path: '/suspend-user',
  tag: 'Moderation',
  input: z.strictObject({
    ...NamedUser.shape,
    suspended: z.boolean().meta({ description: 'False: lets the user speak again.' }),
    reason: ModerationReason.meta({ description: 'Why; a suspended user reads it.' }),
  }),
  output: z.object({
    success: z.literal(true),
    suspended: z.boolean().meta({ description: 'Whether the user is suspended now.' }),
  }),
  errors: ['USER_NOT_FOUND', 'CANNOT_TARGET_SELF'],
  access: 'caller',
  scope: 'moderate',
  limit: 'write',
  errorShape: 'A',
});
