import { z } from 'zod';
import { Post } from '../schemas/posts.ts';
import { optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { mediaSource, postedText } from '../schemas/writtenText.ts';
import { operation } from './operation.ts';

/** Characters. */
const longestPost = 2_000;
const longestComment = 1_000;

export const createPost = operation({
  name: 'createPost',
  summary: 'Posts a text, pictures or a film, or comments on a post.',
  description:
    `A post has 1 to ${longestPost} characters, or none beside media; a comment at most ${longestComment}. A post that tags a token is in the token’s ` +
    'hub, whose rules say who may post there; a comment is where its parent is. There is no edit: delete it and post again.',
  method: 'POST',
  path: '/create-post',
  tag: 'People',
  input: z.strictObject({
    text: postedText(longestPost).meta({ description: 'Plain text; lines end with LF.' }),
    media: optional(z.array(mediaSource('a picture or video')).max(4)).meta({
      description:
        'Up to four pictures or one film: web addresses or data URIs of pictures, a data URI of a film, or `ipfs://<cid>` of `/upload-media`.',
    }),
    taggedCoinId: optional(TokenRef).meta({
      description: 'The token that it speaks of. A comment has that of its parent.',
    }),
    tagged_coin_id: optional(TokenRef).meta({ description: 'The same as `taggedCoinId`.' }),
    parent_id: optional(Uuid).meta({ description: 'The post or comment that it comments on; absent: it is a post.' }),
  }),
  output: z.object({
    success: z.literal(true),
    post: Post,
    url: z.string().meta({ description: 'Page of the post in the web app.' }),
  }),
  errors: [
    'TOKEN_NOT_FOUND',
    'POST_NOT_FOUND',
    'MEDIA_INVALID',
    'MEDIA_TOO_LARGE',
    'MEDIA_UNREACHABLE',
    'MEDIA_QUOTA_EXCEEDED',
    'FILMS_NOT_YET',
    'HUB_MEMBERS_ONLY',
    'HUB_HOLDERS_ONLY',
    'HUB_BANNED',
    'BLOCKED',
  ],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'posts',
  texts: ({ text }) => ({ text }),
  media: {},
  errorShape: 'A',
  example: { text: 'gm $BOAT', taggedCoinId: 'paper-boat' },
});
