import { MintageError, type Operation } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';
import { type Limiter, requireAdmitted } from '../limits/limiter.ts';
import type { Caller } from './caller.ts';

/**
 * Whatever speaks in a user's name, or about what others say, goes through here, however it is called: nobody who is suspended, unless
 * only they see what comes of it, and no more of it in a minute than a user, and all users of one address, may say.
 *
 * @throws MintageError USER_SUSPENDED, RATE_LIMIT_EXCEEDED.
 */
export const requireVoice = async (
  { db, limiter }: { db: Db; limiter: Limiter },
  { scope, social, isPrivate }: Pick<Operation, 'scope' | 'social' | 'isPrivate'>,
  { caller, address }: { caller: Caller | null; address: string },
): Promise<void> => {
  if ((scope !== 'social' && scope !== 'moderate') || caller === null) return;
  if (social !== undefined) {
    requireAdmitted(await limiter.take(social, null, address));
    requireAdmitted(await limiter.take(social, caller, address));
  }
  if (isPrivate) return;
  const suspended = await db
    .selectFrom('app_user')
    .select('suspended_because')
    .where('user_id', '=', caller.userId)
    .where('suspended_because', 'is not', null)
    .executeTakeFirst();
  if (suspended !== undefined)
    throw new MintageError('USER_SUSPENDED', `You are suspended: ${suspended.suspended_because}`);
};
