import type { UserCard } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { isUuid } from '../tokens/tokenRef.ts';
import { cursorPage, readCursor } from '../wire/cursor.ts';
import { userCards } from './cards.ts';

/** Where the users of a list stand: the column of whose list it is, and of who is in it. */
const lists = {
  followers: { table: 'user_follow', whose: 'followed_id', listed: 'user_id' },
  following: { table: 'user_follow', whose: 'user_id', listed: 'followed_id' },
  blocked: { table: 'user_block', whose: 'user_id', listed: 'blocked_id' },
} as const;

/** A page of one of a user's lists, the newest first; of one moment in the order of ids. */
export const listUsers = async (
  db: Db,
  list: keyof typeof lists,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) => {
  const { table, whose, listed } = lists[list];
  const after = readCursor(cursor, isUuid);
  const [time, id] = [sql.ref('created_at'), sql.ref(listed)];
  const beyond =
    after === null
      ? sql``
      : sql`and ${time} <= ${after.time} and (${time} < ${after.time} or ${id} > ${after.id}::uuid)`;
  const { rows } = await sql<{ id: string; time: Date }>`
    select ${id} as id, ${time} as time from ${sql.table(table)}
    where ${sql.ref(whose)} = ${userId} ${beyond} order by ${time} desc, ${id} limit ${limit + 1}`.execute(db);
  const { page, pagination } = cursorPage(rows, limit, (row) => row);
  const cards = await userCards(
    db,
    page.map((row) => row.id),
  );
  return { success: true as const, users: page.map((row) => cards.get(row.id) as UserCard), pagination };
};
