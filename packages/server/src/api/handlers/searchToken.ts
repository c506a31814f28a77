import { chainByEid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { searchTokens } from '../reads/searchTokens.ts';
import { tokenAbout } from '../reads/tokenAbout.ts';
import { tokenFigures } from '../reads/tokenRecord.ts';
import { handler } from './handler.ts';

export const searchToken = handler(definitions.searchToken, async (context, { input }) => {
  const token = await searchTokens(context.db, input);
  const origin = token && context.chains.get(chainByEid(token.eid)?.slug ?? '');
  if (!token || !origin) return { success: false, token: null, error: `No token matches ${input}.` };
  return { success: true, token: { ...tokenAbout(context, token, origin), ...tokenFigures(token) } };
});
