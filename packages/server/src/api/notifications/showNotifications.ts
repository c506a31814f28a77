import { chainByEid, formatUsd18 } from '@mintage/protocol';
import type { Notification, NotificationType } from '@mintage/protocol/operations';
import { type Selectable, sql } from 'kysely';
import type { Db, NotificationTable } from '../../db/serviceTables.ts';
import { userCards } from '../people/cards.ts';
import { oneOf } from '../reads/oneOf.ts';
import { tokenCards } from '../reads/tokenCards.ts';
import type { Reading } from '../tokens/reading.ts';
import { sentenceOf } from './sentences.ts';

type NotificationRow = Selectable<NotificationTable>;

/** Notifications as their users see them now, in their order. */
export const showNotifications = async (
  context: Pick<Reading, 'db' | 'config'>,
  rows: readonly NotificationRow[],
): Promise<Notification[]> => {
  if (rows.length === 0) return [];
  const [actors, tokens] = await Promise.all([
    userCards(
      context.db,
      rows.flatMap(({ actor_id }) => actor_id ?? []),
    ),
    tokenCards(
      context,
      rows.flatMap(({ token_id }) => token_id ?? []),
    ),
  ]);
  return rows.map((row) => ({
    id: row.notification_id,
    seq: row.seq,
    type: row.type,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    actor: actors.get(row.actor_id ?? '') ?? null,
    token: tokens.get(row.token_id ?? '') ?? null,
    post_id: row.post_id,
    amount_usd: row.amount_usd18 === null ? null : formatUsd18(row.amount_usd18),
    tx_hash: row.tx_hash,
    chain: row.eid === null ? null : (chainByEid(row.eid)?.slug ?? null),
    text: sentenceOf(row.type, row),
  }));
};

/** By id; those that are not kept any more are left out. */
export const shownNotifications = async (
  context: Pick<Reading, 'db' | 'config'> & { db: Db },
  ids: readonly string[],
): Promise<Map<string, Notification>> => {
  const rows = await context.db
    .selectFrom('notification')
    .selectAll()
    .where(oneOf('notification_id', [...new Set(ids)]))
    .execute();
  const shown = await showNotifications(context, rows);
  return new Map(shown.map((one) => [one.id, one]));
};

/** In the place of a notification that is not kept any more. */
export const emptyNotification = (of: { id: string; seq: number; type: NotificationType; at: Date }): Notification => ({
  id: of.id,
  seq: of.seq,
  type: of.type,
  created_at: of.at.toISOString(),
  read_at: null,
  actor: null,
  token: null,
  post_id: null,
  amount_usd: null,
  tx_hash: null,
  chain: null,
  text: 'This is not there any more.',
});

export const unreadCount = async (db: Db, userId: string): Promise<number> => {
  const { unread } = await db
    .selectFrom('notification')
    .select(sql<number>`count(*)::int`.as('unread'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('retracted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
};
