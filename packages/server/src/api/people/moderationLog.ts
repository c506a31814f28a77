import { z } from 'zod';
import type { Db } from '../../db/serviceTables.ts';
import { readParts, writeParts } from '../wire/cursor.ts';
import { userCards } from './cards.ts';

const Parts = z.tuple([z.int().positive()]);

/**
 * What operators and moderators did: a page, the newest first.
 *
 * @throws INVALID_PARAMETERS when the cursor is not of a page's `next_cursor`.
 */
export const moderationLog = async (db: Db, { limit, cursor }: { limit: number; cursor?: string | undefined }) => {
  const before = readParts(cursor, Parts);
  const rows = await db
    .selectFrom('moderation')
    .selectAll()
    .$if(before !== null, (query) => query.where('id', '<', (before as [number])[0]))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const cards = await userCards(
    db,
    page.flatMap(({ user_id }) => user_id ?? []),
  );
  return {
    success: true as const,
    entries: page.map(({ id, at, user_id, action, target, reason }) => ({
      id: Number(id),
      at: at.toISOString(),
      user: cards.get(user_id ?? '') ?? null,
      action,
      target,
      reason,
    })),
    pagination: {
      limit,
      total_returned: page.length,
      has_more: rows.length > limit,
      next_cursor: rows.length > limit && last !== undefined ? writeParts([Number(last.id)]) : null,
    },
  };
};
