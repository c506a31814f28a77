import { MintageError } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';

/** The ban of a user from a hub that lasts now; null: there is none. */
export const banOf = async (
  db: Db,
  tokenId: string,
  userId: string,
  now: number,
): Promise<{ until: Date | null } | null> => {
  const ban = await db
    .selectFrom('hub_ban')
    .select('until')
    .where('token_id', '=', tokenId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return ban === undefined || (ban.until !== null && ban.until.getTime() <= now) ? null : ban;
};

/** @throws HUB_BANNED */
export const requireNotBanned = async (db: Db, tokenId: string, userId: string, now: number): Promise<void> => {
  const ban = await banOf(db, tokenId, userId, now);
  if (ban !== null)
    throw new MintageError('HUB_BANNED', 'You are banned from this hub.', {
      details: { until: ban.until?.toISOString() ?? null },
    });
};
