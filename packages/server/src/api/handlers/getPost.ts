import { definitions } from '@mintage/protocol/operations';
import { readerIdOf } from '../people/asked.ts';
import { commentsOn } from '../people/feeds.ts';
import { requireSeen } from '../people/requireSeen.ts';
import { showPost, showPosts } from '../people/showPosts.ts';
import { handler } from './handler.ts';

const any = { tokenId: null, authorId: null, hashtag: null, withMedia: false, since: null };

export const getPost = handler(definitions.getPost, async (context, { post_id, comments: rows }, { caller }) => {
  const { db } = context;
  const readerId = readerIdOf(caller);
  const found = await requireSeen(db, post_id, readerId);
  const below = rows === 0 ? [] : await commentsOn(db, found.post_id, { filter: any, readerId, rows }, null);
  const [post, comments] = await Promise.all([showPost(context, found, readerId), showPosts(context, below, readerId)]);
  return { success: true, post, comments };
});
