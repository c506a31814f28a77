import { z } from 'zod';
import { ModerationReason, PostId } from '../schemas/moderation.ts';
import { operation } from './operation.ts';

export const resolveReports = operation({
  name: 'resolveReports',
  summary: 'Takes what was reported of a post as seen to, whatever was done about it.',
  description:
    'For operators. Whoever reports the post afterwards puts it back into the queue, unless they had reported it before.',
  method: 'POST',
  path: '/resolve-reports',
  tag: 'Moderation',
  input: z.strictObject({
    post_id: PostId,
    reason: ModerationReason.meta({ description: 'Why nothing more is to be done; only operators read it.' }),
  }),
  output: z.object({
    success: z.literal(true),
    resolved: z.int().nonnegative().meta({ description: 'How many reports that were.' }),
  }),
  errors: ['POST_NOT_FOUND'],
  access: 'caller',
  scope: 'moderate',
  limit: 'write',
  errorShape: 'A',
});
