import { z } from 'zod';
import { ModerationReason } from '../schemas/moderation.ts';
import { optional, TokenRef } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

export const takeDownToken = operation({
  name: 'takeDownToken',
  summary: 'Takes a token out of all lists and its media out of service; or puts them back.',
  description: [
    'For operators. No list, search or feed shows the token or what is posted in its hub, and its logo, banner, video and hub',
    'banner answer 451. It still answers to its own id, with the reason, and is traded, claimed, sent and shown to its holders',
    'as before. A file that something else which is up uses too stays in service and is named in `kept`, unless',
    '`shared_media` is true. Sending it again changes the reason, and takes out files that came meanwhile.',
  ].join('\n'),
  method: 'POST',
  path: '/take-down-token',
  tag: 'Moderation',
  input: z.strictObject({
    token_id: TokenRef,
    taken_down: z.boolean().meta({ description: 'False: puts it and its media back.' }),
    reason: ModerationReason.meta({ description: 'Why; of a token that is taken down everybody reads it.' }),
    shared_media: optional(z.boolean()).meta({
      description: 'True: also files that others use. Absent: these stay in service.',
    }),
  }),
  output: z.object({
    success: z.literal(true),
    taken_down: z.boolean().meta({ description: 'Whether it is taken down now.' }),
    withdrawn: z.array(z.string()).meta({ description: 'CIDs of its files that are out of service.' }),
    kept: z.array(z.string()).meta({ description: 'CIDs of its files that stay, because others use them.' }),
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'caller',
  scope: 'moderate',
  limit: 'write',
  errorShape: 'A',
});
