import { z } from 'zod';
import { Username, UserProfile, UserSettings } from '../schemas/people.ts';
import { optional } from '../schemas/scalars.ts';
import { mediaSource, personLinks, personName, saidText, valuesOf } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

const orNone = { mayBeEmpty: true };

export const updateUser = operation({
  name: 'updateUser',
  summary: 'Changes the caller’s profile: what is given changes, everything else stays.',
  description:
    'An empty text removes what was there, but for the username, which can be changed once in 30 days. Pictures are decoded and ' +
    'encoded anew; the picture is cut to a square of 512 by 512.',
  method: 'POST',
  path: '/update-user',
  tag: 'People',
  input: z.strictObject({
    username: optional(Username),
    display_name: optional(personName('name', 40, orNone)).meta({ description: 'At most 40 characters on one line.' }),
    bio: optional(saidText('bio', 280, orNone)).meta({ description: 'At most 280 characters.' }),
    profile_picture: optional(mediaSource('an image', orNone)).meta({
      description:
        'A web address, a data URI, or `ipfs://` of a file that is stored here: PNG, JPEG, GIF, WEBP or SVG of at most 5 MB.',
    }),
    banner: optional(mediaSource('an image', orNone)).meta({ description: 'Wide picture; as `profile_picture`.' }),
    links: optional(personLinks).meta({ description: 'Replaces all of them.' }),
    settings: optional(UserSettings.partial()).meta({ description: 'What others see.' }),
  }),
  output: z.object({ success: z.literal(true), user: UserProfile }),
  errors: [
    'USERNAME_TAKEN',
    'USERNAME_RESERVED',
    'USERNAME_COOLDOWN',
    'MEDIA_INVALID',
    'MEDIA_TOO_LARGE',
    'MEDIA_UNREACHABLE',
    'MEDIA_QUOTA_EXCEEDED',
  ],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'profile',
  texts: ({ username, display_name, bio, links }) => ({ username, display_name, bio, links: valuesOf(links) }),
  media: {},
  errorShape: 'A',
  example: { username: 'alice', display_name: 'Alice', bio: 'Folds paper boats.' },
});
