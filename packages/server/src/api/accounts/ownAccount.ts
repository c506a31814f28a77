import { MintageError } from '@mintage/protocol';
import type { Caller } from './caller.ts';

/**
 * A read of an account is the caller's own, whatever the body says.
 *
 * @throws AUTHENTICATION_FAILED when the body names another user.
 */
export const requireOwnAccount = (caller: Caller, userId: string | undefined): void => {
  if (userId !== undefined && userId.toLowerCase() !== caller.userId.toLowerCase())
    throw new MintageError('AUTHENTICATION_FAILED', 'user_id names another user; leave it out or send your own.');
};
