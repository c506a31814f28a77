import { definitions } from '@mintage/protocol/operations';
import { resolveReports as resolve } from '../people/moderation.ts';
import { handler } from './handler.ts';

export const resolveReports = handler(definitions.resolveReports, async ({ db }, { post_id, reason }, { caller }) => {
  const resolved = await resolve(db, post_id.toLowerCase(), { by: caller.userId, reason });
  return { success: true, resolved };
});
