import type { Eid } from '@mintage/protocol';
import { type NotificationType, notificationTypes } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { publish } from '../../db/outbox.ts';
import type { Tx } from '../../db/serviceTables.ts';
import { newsOf } from './news.ts';

/** What a user is to be told. */
export interface Wanted {
  user_id: string;
  type: NotificationType;
  /** Names it among those of the user: the same key is told once, or adds its dollars to what is there. */
  key: string;
  at: Date;
  actor_id?: string | undefined;
  token_id?: string | undefined;
  post_id?: string | undefined;
  /** Adds up under one key, 18 decimals. */
  amount_usd18?: bigint;
  eid?: Eid;
  tx_hash?: string;
  detail?: string | undefined;
  /** Number of the event of `tokenActivity` that it comes from: what takes that back takes this back. */
  event_seq?: number;
}

const usuallyOn = Object.entries(notificationTypes).flatMap(([type, { isOn }]) => (isOn ? [type] : []));

/** Tells users, but for types that they switched off, and for people with whom one of both wants nothing to do. */
export const notify = async (tx: Tx, all: readonly Wanted[]): Promise<void> => {
  const wanted = await welcome(tx, all);
  if (wanted.length === 0) return;
  const added = new Map<string, Wanted & { amount_usd18?: bigint }>();
  for (const one of wanted) {
    const before = added.get(placeOf(one))?.amount_usd18;
    added.set(placeOf(one), before === undefined ? one : { ...one, amount_usd18: before + (one.amount_usd18 ?? 0n) });
  }
  // One that comes again after it was taken back is new; what adds dollars to what is there has not been read as it is now.
  const { rows } = await sql<Omit<Told, 'at'> & { key: string }>`
    insert into notification
      (user_id, type, key, created_at, actor_id, token_id, post_id, amount_usd18, eid, tx_hash, detail)
    select user_id, type, key, at, actor_id, token_id, post_id, amount_usd18, eid, tx_hash, detail
    from jsonb_to_recordset(${JSON.stringify([...added.values()].map(asJson))}::jsonb) as new (user_id uuid, type text,
      key text, at timestamptz, actor_id uuid, token_id uuid, post_id uuid, amount_usd18 numeric, eid bigint,
      tx_hash text, detail text)
    on conflict (user_id, key) do update set
      amount_usd18 = notification.amount_usd18 + excluded.amount_usd18, eid = excluded.eid, tx_hash = excluded.tx_hash,
      read_at = null, retracted_at = null,
      created_at = case when notification.retracted_at is null then notification.created_at else excluded.created_at end
    where notification.retracted_at is not null or excluded.amount_usd18 is not null
    returning notification_id, user_id, type, key, xmax = 0 as is_new`.execute(tx);
  await keepParts(tx, wanted);
  await tellOf(
    tx,
    rows.map((row) => ({ ...row, at: (added.get(placeOf(row)) as Wanted).at })),
  );
};

/** Whether and how the row of a notification changed. */
export interface Told {
  notification_id: string;
  user_id: string;
  type: NotificationType;
  /** Whether it was not there before: browsers are told once. */
  is_new: boolean;
  at: Date;
}

/** Tells the streams of notifications as they are now. */
export const tellOf = async (tx: Tx, told: readonly Told[]): Promise<void> => {
  if (told.length === 0) return;
  const numbers = await publish(
    tx,
    told.map(({ notification_id, user_id, type, is_new, at }) =>
      newsOf('notifications', at, { user_id, data: { notification_id, type, is_new } }),
    ),
  );
  await sql`update notification set seq = new.seq
    from unnest(${told.map((one) => one.notification_id)}::uuid[], ${numbers}::int8[]) new (notification_id, seq)
    where notification.notification_id = new.notification_id`.execute(tx);
};

const placeOf = ({ user_id, key }: { user_id: string; key: string }): string => `${user_id} ${key}`;

const asJson = ({ amount_usd18, ...rest }: Wanted) => ({ ...rest, amount_usd18: amount_usd18?.toString() });

/** Those that their users want. */
const welcome = async (tx: Tx, all: readonly Wanted[]): Promise<Wanted[]> => {
  if (all.length === 0) return [];
  const asked = all.map(({ user_id, type, actor_id = null }, nth) => ({ nth, user_id, type, actor_id }));
  const { rows } = await sql<{ nth: number }>`
    select nth from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (
      nth int, user_id uuid, type text, actor_id uuid)
    join app_user using (user_id)
    left join notification_setting setting on setting.user_id = asked.user_id and setting.type = asked.type
    where (asked.type = 'security' or coalesce(setting.is_on, asked.type = any(${usuallyOn})))
      and not exists (select from user_block where (user_block.user_id, blocked_id)
        in ((asked.user_id, asked.actor_id), (asked.actor_id, asked.user_id)))
      and (asked.actor_id is null or exists (select from app_user actor where actor.user_id = asked.actor_id))
    order by nth`.execute(tx);
  return rows.map(({ nth }) => all[nth] as Wanted);
};

/** Also of events that changed nothing of a notification, since only with its last part it is taken back. */
const keepParts = async (tx: Tx, wanted: readonly Wanted[]): Promise<void> => {
  const parts = wanted.filter(({ event_seq }) => event_seq !== undefined).map(asJson);
  if (parts.length === 0) return;
  await sql`insert into notification_part (event_seq, notification_id, amount_usd18)
    select event_seq, notification_id, coalesce(new.amount_usd18, 0)
    from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) as new (user_id uuid, key text, event_seq bigint, amount_usd18 numeric)
    join notification using (user_id, key) on conflict do nothing`.execute(tx);
};
