import type { NotificationType } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { publish } from '../../db/outbox.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { newsOf } from './news.ts';
import { tellOf } from './notify.ts';

/** What is told of notifications that did not happen after all, or are about what is gone. */

interface Gone {
  notification_id: string;
  user_id: string;
  type: NotificationType;
  seq: number;
}

/** Takes back what events of `tokenActivity` were told as: a bundle loses their part, and goes with its last. */
export const retractEvents = async (tx: Tx, events: readonly number[], at: Date): Promise<void> => {
  if (events.length === 0) return;
  const { rows } = await sql<Gone & { is_empty: boolean }>`
    with gone as (
      delete from notification_part where event_seq = any(${[...events]}::int8[]) returning *),
    less as (
      select notification_id, sum(amount_usd18) as amount, count(*) as parts from gone group by 1)
    update notification set amount_usd18 = notification.amount_usd18 - less.amount,
      retracted_at = case when left_over.parts = less.parts then ${at}::timestamptz end
    from less, lateral (select count(*) as parts from notification_part part
      where part.notification_id = less.notification_id) left_over
    where notification.notification_id = less.notification_id and retracted_at is null
    returning notification.notification_id, user_id, type, seq, retracted_at is not null as is_empty`.execute(tx);
  await tellGone(
    tx,
    rows.filter(({ is_empty }) => is_empty),
    at,
  );
  await tellOf(
    tx,
    rows.filter(({ is_empty }) => !is_empty).map((row) => ({ ...row, is_new: false, at })),
  );
};

/** Takes back what was told of a post that is gone. What was decided about it is told after it went. */
export const retractPost = async (tx: Tx, postId: string, at: Date): Promise<void> => {
  const { rows } = await sql<Gone>`update notification set retracted_at = ${at}
    where post_id = ${postId} and retracted_at is null
    returning notification_id, user_id, type, seq`.execute(tx);
  await tellGone(tx, rows, at);
};

/** Takes back that a post was hidden. */
export const retractHiding = async (tx: Tx, postId: string, at: Date): Promise<void> => {
  const { rows } = await sql<Gone>`update notification set retracted_at = ${at}
    where post_id = ${postId} and key = ${`hidden:${postId}`} and retracted_at is null
    returning notification_id, user_id, type, seq`.execute(tx);
  await tellGone(tx, rows, at);
};

/** Deletes what two users were told of each other. */
export const forgetBetween = async (tx: Tx, one: string, other: string): Promise<void> => {
  await sql`delete from notification
    where (user_id, actor_id) in ((${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid))`.execute(tx);
};

const tellGone = async (tx: Tx, gone: readonly Gone[], at: Date): Promise<void> => {
  await publish(
    tx,
    gone.map(({ notification_id, user_id, type, seq }) =>
      newsOf('notifications', at, { user_id, retracts: seq, data: { notification_id, type, is_new: false } }),
    ),
  );
};
