import { definitions } from '@mintage/protocol/operations';
import { restoreToken, takeDownToken as takeDown } from '../people/takeDown.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const takeDownToken = handler(definitions.takeDownToken, async (context, input, { caller }) => {
  const { taken_down, reason, shared_media: sharedToo = false } = input;
  const token = await requireToken(context, input.token_id);
  const deed = { by: caller.userId, reason };
  const files = taken_down
    ? await takeDown(context.db, token, { ...deed, sharedToo })
    : await restoreToken(context.db, token, deed);
  return { success: true, taken_down, ...files };
});
