import { z } from 'zod';
import { PostId, reportReasons } from '../schemas/moderation.ts';
import { optional } from '../schemas/scalars.ts';
import { writtenText } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

export const reportPost = operation({
  name: 'reportPost',
  summary: 'Tells whoever runs this service that a post should not be here.',
  description: 'A user reports a post once; a second report replaces what the first one said.',
  method: 'POST',
  path: '/report-post',
  tag: 'People',
  input: z.strictObject({
    post_id: PostId,
    reason: z
      .enum(reportReasons, { error: `must be one of ${reportReasons.join(', ')}` })
      .meta({ description: 'What is wrong with it.' }),
    note: optional(writtenText('note', 500, { mayBeEmpty: true })).meta({
      description: 'In words: at most 500 characters.',
    }),
  }),
  output: z.object({ success: z.literal(true), reported: z.literal(true) }),
  errors: ['POST_NOT_FOUND'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
});
