import { MintageError } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';
import { hubTokenOf, type Standing, standingOf } from './hubs.ts';

/** Of a ban that lasts now. */
export const hubBanned = ({ until }: NonNullable<Standing['ban']>): MintageError =>
  new MintageError('HUB_BANNED', 'You are banned from this hub.', { details: { until: until?.toISOString() ?? null } });

/** @throws HUB_BANNED */
export const requireNotBanned = async (db: Db, tokenId: string, userId: string, now: number): Promise<void> => {
  const { ban } = await standingOf(db, await hubTokenOf(db, tokenId), userId, now);
  if (ban !== null) throw hubBanned(ban);
};
