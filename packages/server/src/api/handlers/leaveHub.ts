import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { endMembership, lockHub, standingOf } from '../people/hubs.ts';
import { showHub } from '../people/showHubs.ts';
import { requireToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

export const leaveHub = handler(definitions.leaveHub, async (context, input, { caller }) => {
  const { db, now } = context;
  const token = await requireToken(context, input.token_id);
  await db.transaction().execute(async (tx) => {
    await lockHub(tx, token, now());
    const { role } = await standingOf(tx, token, caller.userId, now());
    if (role === 'owner') throw invalid('token_id', 'is a token of yours: the owner cannot leave its hub');
    await endMembership(tx, token, caller.userId);
  });
  return { success: true, hub: await showHub(context, token, caller) };
});
