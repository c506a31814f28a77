import { z } from 'zod';
import { ModerationReason } from '../schemas/moderation.ts';
import { NamedUser } from '../schemas/people.ts';
import { operation } from './operation.ts';

export const freezeAccount = operation({
  name: 'freezeAccount',
  summary: 'Freezes a user’s account, such as a stolen one: no sign-in, no signature, no webhook; or lifts it.',
  description:
    'For operators, who cannot freeze themselves. Credentials of the account stop working within 5 seconds and work again after it ' +
    'is lifted, by another operator than the one who froze it. What the wallets can claim on chain stays theirs.',
  method: 'POST',
  path: '/freeze-account',
  tag: 'Moderation',
  input: z.strictObject({
    ...NamedUser.shape,
    frozen: z.boolean().meta({ description: 'False: lifts it.' }),
    reason: ModerationReason.meta({ description: 'Why, for the log of operators.' }),
  }),
  output: z.object({
    success: z.literal(true),
    frozen: z.boolean().meta({ description: 'Whether the account is frozen now.' }),
  }),
  errors: ['USER_NOT_FOUND', 'CANNOT_TARGET_SELF', 'NOT_AN_OPERATOR'],
  access: 'caller',
  scope: 'moderate',
  limit: 'write',
  errorShape: 'A',
});
