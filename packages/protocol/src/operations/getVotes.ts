import { z } from 'zod';
import { Cursor, CursorPage, limitUpTo } from '../schemas/paging.ts';
import { UserCard } from '../schemas/people.ts';
import { VoteCount, VoteWord } from '../schemas/posts.ts';
import { DecimalText, IsoTime, optional, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';
import { VoteTarget } from './vote.ts';

export const getVotes = operation({
  name: 'getVotes',
  summary: 'Lists who voted on a token or post, newest first.',
  method: 'POST',
  path: '/get-votes',
  tag: 'People',
  input: z.object({ ...VoteTarget, limit: limitUpTo(100, 20), cursor: optional(Cursor) }),
  output: z.object({
    success: z.literal(true),
    voters: z.array(
      z.object({
        user: UserCard,
        vote: VoteWord.meta({ description: 'For or against.' }),
        weight: DecimalText.nullable().meta({
          description: 'Whole tokens behind the vote now; null: the user hides wallets.',
        }),
        voting_token_id: Uuid.nullable().meta({ description: 'The token that weighs it; null: nothing does.' }),
        created_at: IsoTime.meta({ description: 'When it was cast.' }),
      }),
    ),
    votes: VoteCount,
    pagination: CursorPage,
  }),
  errors: ['VOTE_TARGET_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { target_type: 'token', target_id: 'paper-boat' },
});
