import { formatUnits, invalid, MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { requireNotBanned } from '../people/bans.ts';
import { requireNotBlocked } from '../people/between.ts';
import { castVote } from '../people/castVote.ts';
import { openTally } from '../people/tally.ts';
import { voteCounts } from '../people/voteCounts.ts';
import { requireTarget, votingTokenOf } from '../people/voteTarget.ts';
import { handler } from './handler.ts';

export const vote = handler(definitions.vote, async (context, input, { caller }) => {
  const { db, now } = context;
  const { userId } = caller;
  const { voting_token_id: token, votingTokenId: sameToken } = input;
  if (token !== undefined && sameToken !== undefined) throw invalid('votingTokenId', 'is voting_token_id; send one');
  const target = await requireTarget(context, input.target_type, input.target_id);
  const tokenId = await votingTokenOf(context, target, token ?? sameToken);
  if (input.vote !== 'none') {
    await Promise.all([
      target.tokenId !== null && requireNotBanned(db, target.tokenId, userId, now()),
      target.authorId !== null && requireNotBlocked(db, userId, target.authorId),
    ]);
  }
  const cast = await db.transaction().execute(async (tx) => {
    if (target.type === 'token')
      await openTally(tx, { target_type: 'token', target_id: target.id, token_id: null, made_at: target.madeAt });
    const isUp = input.vote === 'none' ? null : input.vote === 'upvote';
    return castVote(tx, { userId, target, isUp, tokenId, at: new Date(now()) });
  });
  if (cast === null) throw new MintageError('VOTE_TARGET_NOT_FOUND', 'The post was deleted just now.');
  const counts = await voteCounts(db, { type: target.type, ids: [target.id] }, userId);
  return {
    success: true,
    votes: counts.of(target.id),
    weight: formatUnits(cast.weight18, 18),
    voting_token_id: cast.tokenId,
  };
});
