import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { endGrant } from '../accounts/grants.ts';
import { handler } from './handler.ts';

export const revokeGrant = handler(definitions.revokeGrant, async ({ db, oauth, now }, input, { caller }) => {
  const ended = await endGrant(db, input.id, now(), caller.userId);
  if (!ended) throw invalid('id', 'must be one of your grants that is not revoked yet');
  oauth.forgetGrant(input.id);
  return { success: true };
});
