import { definitions } from '@mintage/protocol/operations';
import { removePosts } from '../people/removePost.ts';
import { handler } from './handler.ts';

export const deletePost = handler(definitions.deletePost, async (context, { post_id }, { caller }) => {
  const wanted = { postId: post_id.toLowerCase(), userId: caller.userId };
  await context.db.transaction().execute((tx) => removePosts(tx, context, [wanted]));
  return { success: true, deleted: true };
});
