import { MintageError } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';

/**
 * Neither of two users may do this to the other when one of them has blocked the other.
 *
 * @throws BLOCKED
 */
export const requireNotBlocked = async (db: Db, userId: string, others: readonly string[]): Promise<void> => {
  if (others.length === 0) return;
  const { rows } =
    await sql`select from user_block where user_id = ${userId} and blocked_id = any(${[...others]}::uuid[])
    union all select from user_block where blocked_id = ${userId} and user_id = any(${[...others]}::uuid[])
    limit 1`.execute(db);
  if (rows.length > 0) throw new MintageError('BLOCKED', 'One of you has blocked the other.');
};
