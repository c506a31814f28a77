import { z } from 'zod';
import { vote } from '../operations/vote.ts';
import { VoteCount } from '../schemas/posts.ts';
import { DecimalText, TokenRef, Uuid } from '../schemas/scalars.ts';
import { tool } from './tool.ts';

const { vote: choice, voting_token_id } = vote.input.shape;
const { upvotes, downvotes, weighted_upvotes, weighted_downvotes } = VoteCount.shape;

const counted = z.object({
  success: z.literal(true),
  upvote_count: upvotes,
  downvote_count: downvotes,
  weighted_upvotes,
  weighted_downvotes,
  weight: DecimalText.meta({ description: 'Whole tokens behind this vote now; 0 without one.' }),
});

const countedOf = ({ votes, weight }: z.output<typeof vote.output>): z.output<typeof counted> => ({
  success: true,
  upvote_count: votes.upvotes,
  downvote_count: votes.downvotes,
  weighted_upvotes: votes.weighted_upvotes,
  weighted_downvotes: votes.weighted_downvotes,
  weight,
});

export const vote_token = tool({
  name: 'vote_token',
  description: `Votes for or against a token. ${vote.description}`,
  operation: vote,
  input: z.object({
    tokenId: TokenRef.meta({ description: 'Token id, platform id, contract address or slug.' }),
    vote: choice,
    voting_token_id,
  }),
  output: counted,
  toInput: ({ tokenId, ...rest }) => ({ target_type: 'token', target_id: tokenId, ...rest }),
  toAnswer: countedOf,
  example: { tokenId: 'paper-boat', vote: 'upvote' },
});

export const vote_post = tool({
  name: 'vote_post',
  description: `Votes for or against a post. ${vote.description}`,
  operation: vote,
  input: z.object({ post_id: Uuid.meta({ description: 'Id of the post.' }), vote: choice, voting_token_id }),
  output: counted,
  toInput: ({ post_id, ...rest }) => ({ target_type: 'post', target_id: post_id, ...rest }),
  toAnswer: countedOf,
});
