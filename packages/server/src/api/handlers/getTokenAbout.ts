import { definitions } from '@mintage/protocol/operations';
import { tokenAbout } from '../reads/tokenAbout.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getTokenAbout = handler(definitions.getTokenAbout, async (context, { token_id: tokenRef }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  return { success: true, token: tokenAbout(context, token, served) };
});
