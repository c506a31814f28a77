import { invalid } from '@mintage/protocol';
import { endGrant } from '../accounts/grants.ts';
import type { HandlerOf } from './context.ts';

export const revokeGrant: HandlerOf<'revokeGrant'> = async ({ db, oauth, now }, input, { caller }) => {
  const ended = await endGrant(db, input.id, now(), caller.userId);
  if (!ended) throw invalid('id', 'must be one of your grants that is not revoked yet');
  oauth.forgetGrant(input.id);
  return { success: true };
};
