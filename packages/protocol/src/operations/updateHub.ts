import { z } from 'zod';
import { Hub, PostRule } from '../schemas/hubs.ts';
import { optional, TokenRef } from '../schemas/scalars.ts';
import { mediaSource, writtenText } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

const orNone = { mayBeEmpty: true };

export const updateHub = operation({
  name: 'updateHub',
  summary: 'Changes a hub of the caller’s: what is given changes, everything else stays.',
  description:
    'Its owner is whoever created the token. An empty text removes what was there; the token’s own is shown then.',
  method: 'POST',
  path: '/update-hub',
  tag: 'People',
  input: z.strictObject({
    token_id: TokenRef,
    description: optional(writtenText('description', 1000, orNone)).meta({ description: 'At most 1000 characters.' }),
    rules: optional(writtenText('rules', 2000, orNone)).meta({ description: 'At most 2000 characters.' }),
    banner: optional(mediaSource('an image', orNone)).meta({
      description: 'Wide picture: a web address or a data URI, PNG, JPEG, GIF, WEBP or SVG of at most 5 MB.',
    }),
    invite_only: optional(z.boolean()).meta({ description: 'Whether joining takes an invite.' }),
    post_rule: optional(PostRule).meta({ description: 'Who may post, beside the owner and moderators.' }),
    min_holding: optional(z.string().trim().max(100)).meta({
      description:
        'Whole tokens that it takes where holders post: decimal text, at most 18 digits after the point. Empty or 0: any amount.',
    }),
  }),
  output: z.object({ success: z.literal(true), hub: Hub }),
  errors: [
    'TOKEN_NOT_FOUND',
    'NOT_THE_HUB_OWNER',
    'MEDIA_INVALID',
    'MEDIA_TOO_LARGE',
    'MEDIA_UNREACHABLE',
    'MEDIA_QUOTA_EXCEEDED',
  ],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'profile',
  texts: ({ description, rules }) => ({ description, rules }),
  media: {},
  errorShape: 'A',
  example: { token_id: 'paper-boat', rules: 'Speak of boats.', post_rule: 'holders', min_holding: '100' },
});
