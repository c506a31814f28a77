import { z } from 'zod';
import { PostedMedia } from '../schemas/posts.ts';
import { optional } from '../schemas/scalars.ts';
import { mediaSource } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

export const uploadMedia = operation({
  name: 'uploadMedia',
  summary: 'Keeps a picture or film, which posts then name by `ipfs://<cid>`.',
  description:
    'Name one of `data` and `url`. Pictures are decoded and encoded anew: PNG, JPEG, GIF, WEBP or SVG of at most 5 MB; an `avatar` is cut to ' +
    'a square of 512 by 512. Films are MP4 or WebM of at most 8 MiB, come as `data`, and are taken from accounts that are a day old or have created a token. A file to which nothing ' +
    'refers within an hour is deleted.',
  method: 'POST',
  path: '/upload-media',
  tag: 'People',
  input: z.strictObject({
    data: optional(mediaSource('the file')).meta({ description: 'A base64 data URI.' }),
    url: optional(mediaSource('the file')).meta({ description: 'A web address of a picture.' }),
    kind: z
      .enum(['avatar', 'image', 'video'], { error: 'must be avatar, image or video' })
      .meta({ description: 'What it is for.' }),
  }),
  output: z.object({ success: z.literal(true), media: PostedMedia }),
  errors: ['MEDIA_INVALID', 'MEDIA_TOO_LARGE', 'MEDIA_UNREACHABLE', 'MEDIA_QUOTA_EXCEEDED', 'FILMS_NOT_YET'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'profile',
  media: {},
  errorShape: 'A',
  example: {
    kind: 'image',
    data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
});
