import { MintageError } from '@mintage/protocol';
import type { Caller } from './caller.ts';

/**
 * Account reads return the caller's own account, whatever the body names.
 *
 * @throws AUTHENTICATION_FAILED when the body names another user.
 */
export const requireOwnAccount = (caller: Caller, userId: string | undefined): void => {
  if (userId !== undefined && userId.toLowerCase() !== caller.userId.toLowerCase())
    throw new MintageError('AUTHENTICATION_FAILED', 'user_id names another user; leave it out or send your own.');
};
