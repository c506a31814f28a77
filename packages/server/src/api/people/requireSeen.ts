import type { Db } from '../../db/serviceTables.ts';
import { isBlockedPair } from './between.ts';
import { blockable, noPost } from './seesPost.ts';
import { findPost, type PostRow } from './showPosts.ts';

/**
 * A post that the reader may see: a hidden one is there for its author alone, and none of a user of whom one blocked the other.
 *
 * @throws POST_NOT_FOUND
 */
export const requireSeen = async (db: Db, postId: string, readerId: string | null): Promise<PostRow> => {
  const post = await findPost(db, postId.toLowerCase());
  if (post === undefined) throw noPost();
  const { author_id: authorId } = post;
  const isOwn = authorId !== null && authorId === readerId;
  if (isOwn) return post;
  if (post.hidden_because !== null) throw noPost();
  const other = blockable(post);
  if (other !== null && readerId !== null && (await isBlockedPair(db, other, readerId))) throw noPost();
  return post;
};
