import { z } from 'zod';
import { ModerationReason, PostId } from '../schemas/moderation.ts';
import { operation } from './operation.ts';

export const hidePost = operation({
  name: 'hidePost',
  summary: 'Shows a post to nobody but its author, who reads why; or shows it again.',
  description: 'For operators. Comments on it stay. It is counted nowhere until it is shown again.',
  method: 'POST',
  path: '/hide-post',
  tag: 'Moderation',
  input: z.strictObject({
    post_id: PostId,
    hidden: z.boolean().meta({ description: 'False: shows it again.' }),
    reason: ModerationReason.meta({ description: 'Why; of a hidden post the author reads it.' }),
  }),
  output: z.object({
    success: z.literal(true),
    hidden: z.boolean().meta({ description: 'Whether it is hidden now.' }),
  }),
  errors: ['POST_NOT_FOUND'],
  access: 'caller',
  scope: 'moderate',
  limit: 'write',
  errorShape: 'A',
});
