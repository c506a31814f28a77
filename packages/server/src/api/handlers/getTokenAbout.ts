import { tokenAbout } from '../reads/tokenAbout.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { HandlerOf } from './context.ts';

export const getTokenAbout: HandlerOf<'getTokenAbout'> = async (context, { token_id: tokenRef }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  return { success: true, token: tokenAbout(context, token, served) };
};
