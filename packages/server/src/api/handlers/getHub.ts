import { definitions } from '@mintage/protocol/operations';
import { showHub } from '../people/showHubs.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const getHub = handler(definitions.getHub, async (context, { token_id }, { caller }) => {
  const token = await requireToken(context, token_id);
  return { success: true, hub: await showHub(context, token, caller) };
});
