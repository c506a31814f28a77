import { invalid, MintageError } from '@mintage/protocol';
import { Uuid } from '@mintage/protocol/operations';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import type { Target } from './castVote.ts';
import { blockable } from './seesPost.ts';

export interface FoundTarget extends Target {
  /** The token, or that of the post: of its hub. Null: the post has none. */
  tokenId: string | null;
  /** Who wrote the post, as far as a block counts; null of a token. */
  authorId: string | null;
  madeAt: Date;
}

/** @throws VOTE_TARGET_NOT_FOUND */
export const requireTarget = async (context: Reading & { db: Db }, type: Target['type'], ref: string) => {
  const found = type === 'token' ? await tokenTarget(context, ref) : await postTarget(context.db, ref);
  if (found === null) throw noTarget(type, ref);
  return found;
};

export const noTarget = (type: Target['type'], ref: string): MintageError =>
  new MintageError('VOTE_TARGET_NOT_FOUND', `There is no ${type} ${ref.slice(0, 80)} to vote on.`);

const tokenTarget = async (context: Reading, ref: string): Promise<FoundTarget | null> => {
  try {
    const { token } = await requireServedToken(context, ref);
    return { type: 'token', id: token.token_id, tokenId: token.token_id, authorId: null, madeAt: token.created_at };
  } catch (error) {
    if (error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND') return null;
    throw error;
  }
};

const postTarget = async (db: Db, ref: string): Promise<FoundTarget | null> => {
  if (!Uuid.safeParse(ref).success) return null;
  const asked = db
    .selectFrom('post')
    .select(['post_id', 'type', 'token_id', 'author_id', 'created_at'])
    .where('post_id', '=', ref.toLowerCase())
    .where('deleted_at', 'is', null)
    .where('hidden_because', 'is', null);
  const [post] = await prepared(db, asked);
  if (post === undefined) return null;
  const { post_id: id, token_id: tokenId, created_at: madeAt } = post;
  return { type: 'post', id, tokenId, authorId: blockable(post), madeAt };
};

/**
 * The token that weighs a vote: the target's own where none is named.
 *
 * @throws TOKEN_NOT_FOUND; INVALID_PARAMETERS for a token that has nothing to do with the target.
 */
export const votingTokenOf = async (
  context: Reading,
  { tokenId }: FoundTarget,
  ref: string | undefined,
): Promise<string | null> => {
  if (ref === undefined) return tokenId;
  const { token_id: named } = await requireToken(context, ref);
  if (named === tokenId || context.config.votingTokens.includes(named)) return named;
  throw invalid('voting_token_id', 'must be the token, that of the post, or one that this deployment lists');
};
