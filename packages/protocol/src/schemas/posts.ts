import { z } from 'zod';
import { UserCard } from './people.ts';
import { DecimalText, IsoTime, Uuid } from './scalars.ts';
import { TokenCard } from './tokenCard.ts';

/** What people post, and how others voted on it. Source: social wire contract, section 2. */

export type PostedMedia = z.output<typeof PostedMedia>;
export type PostEntity = z.output<typeof PostEntity>;
export type VoteCount = z.output<typeof VoteCount>;
export type Post = z.output<typeof Post>;

const count = z.int().nonnegative();

export const PostedMedia = z
  .strictObject({
    cid: z.string().meta({ description: 'Address by content.' }),
    url: z.string().meta({ description: 'Where this service serves it.' }),
    type: z.enum(['image', 'video']).meta({ description: 'What it is.' }),
    width: z.int().positive().nullable().meta({ description: 'Pixels; null where it is not known, as for videos.' }),
    height: z.int().positive().nullable().meta({ description: 'Pixels; null where it is not known.' }),
    mime: z.string().meta({ description: 'Media type.' }),
  })
  .meta({ id: 'PostedMedia', description: 'A picture or film of a post.' });

export const PostEntity = z
  .strictObject({
    kind: z.enum(['mention', 'tag', 'token', 'link']).meta({ description: 'What stands there.' }),
    start: count.meta({ description: 'Where it begins, in UTF-16 code units.' }),
    end: count.meta({ description: 'Where it ends, exclusive.' }),
    value: z.string().meta({ description: 'Id of the user or token, the tag without `#`, or the https address.' }),
  })
  .meta({ id: 'PostEntity', description: 'A part of a text that means something; the text itself stays plain.' });

export const VoteWord = z.enum(['upvote', 'downvote']);

export const VoteCount = z
  .strictObject({
    upvotes: count.meta({ description: 'Users who voted for it.' }),
    downvotes: count.meta({ description: 'Users who voted against it.' }),
    weighted_upvotes: DecimalText.meta({ description: 'Whole tokens behind the votes for it.' }),
    weighted_downvotes: DecimalText.meta({ description: 'Whole tokens behind the votes against it.' }),
    user_vote: VoteWord.nullable().meta({ description: 'The caller’s vote; null: none, or nobody is signed in.' }),
  })
  .meta({ id: 'VoteCount' });

export const Post = z
  .strictObject({
    id: Uuid.meta({ description: 'Id of the post.' }),
    type: z.enum(['post', 'comment', 'launch']).meta({ description: 'A launch is made by the service, one a token.' }),
    author: UserCard.nullable().meta({ description: 'Null: the creator of a token who never signed in here.' }),
    text: z.string().meta({ description: 'Plain text of a stranger; empty once it is deleted.' }),
    media: z.array(PostedMedia).meta({ description: 'Up to four pictures or one film.' }),
    entities: z.array(PostEntity).meta({ description: 'Mentions, tags, tokens and links within the text.' }),
    tagged_coin: TokenCard.nullable().meta({ description: 'The token that it speaks of; null: none.' }),
    parent_id: Uuid.nullable().meta({ description: 'What it comments on; null: nothing.' }),
    root_id: Uuid.nullable().meta({ description: 'The post that the comments are below; null: it is no comment.' }),
    hub_id: Uuid.nullable().meta({ description: 'The hub that it is in, which is that of the token; null: none.' }),
    created_at: IsoTime.meta({ description: 'When it was posted.' }),
    deleted_at: IsoTime.nullable().meta({ description: 'When it was deleted; null: it was not.' }),
    comments_count: count.meta({ description: 'Comments right below it.' }),
    votes: VoteCount,
    author_holds: DecimalText.nullable().meta({
      description: 'Whole tokens that the author held when posting; null: no token is tagged.',
    }),
    pinned: z.boolean().meta({ description: 'Whether it stays on top of its hub.' }),
    hidden: z
      .strictObject({ reason: z.string().meta({ description: 'What the operator said.' }) })
      .optional()
      .meta({ description: 'Only the author sees a hidden post, and why it is.' }),
  })
  .meta({ id: 'Post' });
