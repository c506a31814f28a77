import { z } from 'zod';
import { VoteCount, VoteWord } from '../schemas/posts.ts';
import { DecimalText, optional, TokenRef, Uuid } from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const votingToken = optional(TokenRef);

export const VoteTarget = {
  target_type: z.enum(['token', 'post']).meta({ description: 'What is voted on.' }),
  target_id: TokenRef.meta({ description: 'The token, as any TokenRef; or the id of the post.' }),
};

export const vote = operation({
  name: 'vote',
  summary: 'Votes for or against a token or post, in the place of an earlier vote on it, or takes the vote back.',
  description:
    'A vote weighs what the wallets of the caller hold of one token, on all chains. As long as it stands it keeps the least that they held ' +
    'since: selling or sending on lowers it, buying raises it only by voting again, so that no holding counts twice. Of who hides their wallets votes count and weigh nothing.',
  method: 'POST',
  path: '/vote',
  tag: 'People',
  input: z.strictObject({
    ...VoteTarget,
    vote: z.enum([...VoteWord.options, 'none']).meta({ description: '`none` takes the vote back.' }),
    voting_token_id: votingToken.meta({
      description:
        'Whose holdings weigh the vote: the token, or that of the post, or one that this deployment lists. Absent: the first of these, ' +
        'and nothing for a post without a token.',
    }),
    votingTokenId: votingToken.meta({ description: 'Another name of `voting_token_id`.' }),
  }),
  output: z.object({
    success: z.literal(true),
    votes: VoteCount,
    weight: DecimalText.meta({ description: 'Whole tokens behind this vote now; 0 without one.' }),
    voting_token_id: Uuid.nullable().meta({ description: 'The token that weighs it; null: nothing does.' }),
  }),
  errors: ['VOTE_TARGET_NOT_FOUND', 'TOKEN_NOT_FOUND', 'HUB_BANNED', 'BLOCKED'],
  access: 'caller',
  scope: 'social',
  limit: 'write',
  social: 'votes',
  errorShape: 'A',
  example: { target_type: 'token', target_id: 'paper-boat', vote: 'upvote' },
});
