import { definitions } from '@mintage/protocol/operations';
import { hidePost as hide, unhidePost } from '../people/moderation.ts';
import { handler } from './handler.ts';

export const hidePost = handler(definitions.hidePost, async ({ db }, { post_id, hidden, reason }, { caller }) => {
  await (hidden ? hide : unhidePost)(db, post_id.toLowerCase(), { by: caller.userId, reason });
  return { success: true, hidden };
});
