import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { addPost, parentOf } from '../people/addPost.ts';
import { checkMedia, postedMedia } from '../people/postedMedia.ts';
import { requireSeen } from '../people/requireSeen.ts';
import { showPost } from '../people/showPosts.ts';
import { taggedToken } from '../people/taggedToken.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

/** Characters. */
const longestComment = 1_000;

export const createPost = handler(definitions.createPost, async (context, input, call) => {
  const { db, media, config } = context;
  const { userId } = call.caller;
  const { text, media: sources = [] } = input;
  const parentId = input.parent_id?.toLowerCase() ?? null;
  if (text === '' && sources.length === 0) throw invalid('text', 'must not be empty without media');
  if (parentId !== null && [...text].length > longestComment)
    throw invalid('text', `must be at most ${longestComment} characters in a comment`);
  const asked = await taggedToken(context, input);
  const token = parentId === null ? asked : await tokenOfParent(context, parentId, asked);
  const asker = { owner: userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const files = await checkMedia(context, sources, asker);
  await media.storeForNow(files, asker);
  const post = { authorId: userId, text, media: files.map(postedMedia), token, parentId };
  const postId = await db.transaction().execute((tx) => addPost(tx, context, post));
  const row = await requireSeen(db, postId, userId);
  return { success: true, post: await showPost(context, row, userId), url: `${config.appUrl}/post/${postId}` };
});

/** A comment speaks of what its parent speaks of. */
const tokenOfParent = async (context: Context, parentId: string, asked: Awaited<ReturnType<typeof taggedToken>>) => {
  const { token_id: tokenId } = await parentOf(context.db, parentId);
  if (asked !== null && asked.token_id !== tokenId)
    throw invalid('taggedCoinId', 'must be the token of the post that is commented on');
  return tokenId === null || asked !== null ? asked : requireToken(context, tokenId);
};
