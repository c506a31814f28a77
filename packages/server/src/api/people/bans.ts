import { MintageError } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';
import type { Standing } from './hubs.ts';

/** Of a ban that lasts now. */
export const hubBanned = ({ until }: NonNullable<Standing['ban']>): MintageError =>
  new MintageError('HUB_BANNED', 'You are banned from this hub.', { details: { until: until?.toISOString() ?? null } });

/** @throws HUB_BANNED */
export const requireNotBanned = async (db: Db, tokenId: string, userId: string, now: number): Promise<void> => {
  const ban = await db
    .selectFrom('hub_ban')
    .select('until')
    .where('token_id', '=', tokenId)
    .where('user_id', '=', userId)
    .where((row) => row.or([row('until', 'is', null), row('until', '>', new Date(now))]))
    .executeTakeFirst();
  if (ban !== undefined) throw hubBanned(ban);
};
