import type { StreamTopic } from '@mintage/protocol/operations';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db, WebhookAttemptTable, WebhookTable } from '../../../db/serviceTables.ts';
import { isWanted } from '../../reads/events/filterFields.ts';
import type { StreamEvent } from '../../reads/events/streamEvent.ts';
import type { Missed } from './message.ts';
import { webhookNotFound } from './webhookRecord.ts';

export type Webhook = Selectable<WebhookTable>;

/**
 * How long a lease lasts without renewal before another process may take the webhook; longer than one attempt can take.
 */
const lease = sql<Date>`now() + interval '30 seconds'`;

/** True for the events `e` that the webhook `w` wants; fees only while the wallet is the user's, and the user's own notifications. */
const wanted = sql<boolean>`(e.topic = w.topic and ${isWanted(sql.ref('w.filter'))}
  and (w.topic <> 'walletFees' or exists (
    select from user_wallet u where u.address = e.wallet and u.user_id = w.user_id))
  and (w.topic <> 'notifications' or e.user_id = w.user_id)
  and not exists (select from account_freeze f where f.user_id = w.user_id))`;

const hasWork = sql<boolean>`exists (select from stream_event e where e.seq > w.cursor and ${wanted})`;

/**
 * Ids of the webhooks that have something to deliver now. Scans all events after each webhook's cursor, so it is called
 * only at start and at intervals.
 */
export const withWork = async (db: Db, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select w.id from webhook w join stream_topic t on t.topic = w.topic
    where w.status <> 'disabled' and w.next_attempt_at <= ${now} and w.lease_until <= now()
      and w.cursor < t.last_seq and ${hasWork}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Ids of the webhooks that want one of these events: numbers above `after`, up to `upTo`. */
export const interested = async (db: Db, topic: StreamTopic, after: number, upTo: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select w.id from webhook w where w.topic = ${topic}
    and w.status <> 'disabled' and exists (
      select from stream_event e where e.topic = ${topic} and e.seq > ${after} and e.seq <= ${upTo} and ${wanted})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** An attempt that takes longer, milliseconds, makes its receiver a slow one, whatever it answers. */
export const slowAfterMs = 1_000;

/** Capacity for new leases: free turns, limits per user and origin, and the turns these hold already. */
export interface Room {
  /** Turns for receivers whose last attempt was quick, or that had none yet. */
  quick: number;
  /** Turns for the others. */
  slow: number;
  /** Most quick turns of one user. */
  perUser: number;
  /** Most turns of either kind for one origin. */
  perOrigin: number;
  /** Quick turns by user, then all turns by user: users with fewer come first. */
  quickOfUsers: Readonly<Record<string, number>>;
  ofUsers: Readonly<Record<string, number>>;
  /** Turns of either kind by origin. */
  ofOrigins: Readonly<Record<string, number>>;
}

export type LeasedWebhook = Webhook & { was_slow: boolean };

export interface Claimed {
  webhooks: LeasedWebhook[];
  /** Other webhooks have something to deliver and found no free turn. */
  isMoreWaiting: boolean;
}

/** Whether the newest attempt in the log was slow; null before the first attempt. */
const wasSlow = sql`(select a.duration_ms > ${sql.lit(slowAfterMs)} from webhook_attempt a
  where a.webhook_id = w.id and a.number = w.attempts)`;

const countIn = (counts: Readonly<Record<string, number>>, key: 'user_id' | 'origin') =>
  sql`coalesce((${JSON.stringify(counts)}::jsonb ->> ${sql.ref(`w.${key}`)}::text)::int, 0)`;

/**
 * Order in which turns are given: first receivers that were quick, then untried ones, then slow ones; within each,
 * users in rotation.
 */
const inOrder = sql`nullif(slow, false) nulls first, slow is null, of_user, next_attempt_at, id`;

/**
 * Leases as many of these webhooks as there is room for, among those with something to deliver now. One statement for
 * all, because scanning for one takes as long as for a thousand. When several processes compete, one gets the webhook.
 *
 * @param owner - A UUID of this call: no two leases of a webhook have the same.
 */
export const claim = async (db: Db, owner: string, ids: readonly string[], now: Date, room: Room): Promise<Claimed> => {
  if (ids.length === 0) return { webhooks: [], isMoreWaiting: false };
  const { rows } = await sql<{ candidates: number } & (LeasedWebhook | Record<keyof LeasedWebhook, null>)>`
    with due as (
      select w.id, w.user_id, w.origin, w.next_attempt_at, ${wasSlow} as slow,
        ${countIn(room.quickOfUsers, 'user_id')} as user_quick,
        ${countIn(room.ofUsers, 'user_id')} as user_has, ${countIn(room.ofOrigins, 'origin')} as origin_has
      from webhook w where w.id = any(${[...ids]}) and w.status <> 'disabled' and w.next_attempt_at <= ${now}
        and w.lease_until <= now() and ${hasWork}),
    ranked as (
      select *, user_has + row_number() over (partition by user_id, coalesce(slow, false) order by slow nulls last, next_attempt_at, id) as of_user,
        origin_has + row_number() over (partition by origin order by slow nulls last, next_attempt_at, id) as of_origin
      from due),
    placed as (
      select id, coalesce(slow, false) as was_slow,
        row_number() over (partition by coalesce(slow, false) order by ${inOrder}) as place
      from ranked where of_origin <= ${room.perOrigin} and (coalesce(slow, false) or of_user - user_has + user_quick <= ${room.perUser})),
    next as (
      select w.id, placed.was_slow from webhook w join placed on placed.id = w.id
      where place <= case when was_slow then ${room.slow}::int else ${room.quick}::int end and w.lease_until <= now()
      for update of w skip locked),
    taken as (
      update webhook set lease_owner = ${owner}, lease_until = ${lease} from next where webhook.id = next.id
      returning webhook.*, next.was_slow)
    select (select count(*)::int from due) as candidates, taken.* from (select) as one left join taken on true`.execute(
    db,
  );
  const webhooks = rows.filter((row): row is LeasedWebhook & typeof row => row.id !== null);
  return { webhooks, isMoreWaiting: (rows[0]?.candidates ?? 0) > webhooks.length };
};

/**
 * Releases a webhook; if the lease was lost meanwhile, its new owner keeps it.
 *
 * @param cursor - Its new cursor, when that is beyond its last delivery.
 */
export const release = async (db: Db, owner: string, id: string, cursor?: number): Promise<void> => {
  await db
    .updateTable('webhook')
    .set({ lease_owner: null, lease_until: sql<Date>`now()`, ...(cursor === undefined ? {} : { cursor }) })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute();
};

/** An event in the outbox, with the time it was added. */
export type QueuedEvent = StreamEvent & { created_at: Date };

export interface Page {
  /** The next wanted events, in order. */
  events: QueuedEvent[];
  /** Numbers that were dropped undelivered before the first of them. */
  missed: Missed | null;
  /** Newest number of the topic: a page that is not full contains every wanted event up to it. */
  end: number;
}

/** The next page of events for a webhook. */
export const nextPage = async (db: Db, { id, topic, cursor }: Webhook, limit: number): Promise<Page> => {
  const [oldest, { last_seq: end }] = [
    await oldestSeq(db, topic),
    await db.selectFrom('stream_topic').select('last_seq').where('topic', '=', topic).executeTakeFirstOrThrow(),
  ];
  const { rows: events } = await sql<QueuedEvent>`select e.* from webhook w join stream_event e on ${wanted}
    where w.id = ${id} and e.topic = ${topic} and e.seq > ${cursor} order by e.seq limit ${limit}`.execute(db);
  return { events, missed: cursor + 1 < oldest ? { from: cursor + 1, to: oldest - 1 } : null, end };
};

/** The event of this number, if the webhook wants it and it is still kept. */
export const wantedEvent = async (db: Db, id: string, seq: number): Promise<StreamEvent | null> => {
  const { rows } = await sql<StreamEvent>`select e.* from webhook w join stream_event e on ${wanted}
    where w.id = ${id} and e.seq = ${seq}`.execute(db);
  return rows[0] ?? null;
};

/** Number of the oldest event that is kept; of the next one when there is none. */
export const oldestSeq = async (db: Db, topic: WebhookTable['topic']): Promise<number> => {
  const { rows } = await sql<{ oldest: number }>`select coalesce(
      (select min(seq) from stream_event where topic = ${topic}),
      (select last_seq + 1 from stream_topic where topic = ${topic})) as oldest`.execute(db);
  return (rows[0] as { oldest: number }).oldest;
};

/**
 * A webhook that wants none of its pending events is moved forward once it is this many behind: scanning them again
 * would cost more each time.
 */
const idleLag = 50;

/**
 * Moves webhooks without pending events to the end of their topic. One that missed events stays, so that the loss is
 * reported.
 */
export const passIdle = async (db: Db): Promise<void> => {
  const { rows: ends } = await sql<{ topic: string; end: number; oldest: number }>`select topic, last_seq as end,
      coalesce((select min(seq) from stream_event e where e.topic = t.topic), last_seq + 1) as oldest
    from stream_topic t`.execute(db);
  for (const { topic, end, oldest } of ends) {
    await sql`update webhook w set cursor = ${end} where id in (
        select id from webhook where topic = ${topic} and cursor < ${end - idleLag} and cursor >= ${oldest - 1}
          and status <> 'disabled' and lease_until <= now() for update skip locked)
      and not exists (select from stream_event e where e.seq > w.cursor and e.seq <= ${end} and ${wanted})`.execute(db);
  }
};

export const countByStatus = async (db: Db): Promise<Record<Webhook['status'], number>> => {
  const rows = await db
    .selectFrom('webhook')
    .select(['status', (query) => query.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return {
    active: 0,
    failing: 0,
    disabled: 0,
    ...Object.fromEntries(rows.map(({ status, count }) => [status, count])),
  };
};

/**
 * Counts the origins of webhooks that took an event within the last hour, and those that took none since they failed, which is no
 * longer than a day ago. An origin counts once: as answering when one of its webhooks does.
 */
export const countReceivers = async (db: Db, at: Date): Promise<Record<'answering' | 'failing', number>> => {
  const { rows } = await sql<{ answering: number; failing: number }>`select
      count(*) filter (where answers) as answering, count(*) filter (where fails and not answers) as failing
    from (select bool_or(failing_since is null and last_success_at > ${at}::timestamptz - interval '1 hour') is true as answers,
        bool_or(failing_since is not null and status = 'active') as fails
      from webhook where status <> 'disabled' group by origin) as receiver`.execute(db);
  return rows[0] ?? { answering: 0, failing: 0 };
};

/** A log entry of one attempt. */
export type Attempt = Omit<Selectable<WebhookAttemptTable>, 'webhook_id' | 'number'>;

const attemptColumns = [
  ...(['webhook_id', 'number', 'seq', 'attempt', 'cause'] as const),
  ...(['response_code', 'error', 'duration_ms', 'at', 'next_attempt_at'] as const),
];
const keptAttempts = 10_000;
const pruneEvery = 500;

/**
 * Records an attempt together with the webhook's new state. The lease stays after a success and is released after a
 * failure.
 *
 * @param becomes - The webhook's new columns.
 * @returns False when the webhook was moved, deleted or taken over meanwhile: then nothing is written.
 */
export const record = async (
  db: Db,
  owner: string,
  id: string,
  attempt: Attempt,
  becomes: Updateable<WebhookTable>,
): Promise<boolean> => {
  const written = await db
    .with('moved', (query) =>
      query
        .updateTable('webhook')
        .set((column) => ({
          ...becomes,
          attempts: column('attempts', '+', 1),
          ...(attempt.error === null ? { lease_until: lease } : { lease_owner: null, lease_until: sql<Date>`now()` }),
        }))
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .returning('attempts'),
    )
    .insertInto('webhook_attempt')
    .columns([...attemptColumns])
    .expression((query) =>
      query
        .selectFrom('moved')
        .select((column) => [
          sql<string>`${id}`.as('webhook_id'),
          column.ref('moved.attempts').as('number'),
          sql<number>`${attempt.seq}::bigint`.as('seq'),
          sql<number>`${attempt.attempt}::integer`.as('attempt'),
          sql<string>`${attempt.cause}`.as('cause'),
          sql<number>`${attempt.response_code}::integer`.as('response_code'),
          sql<string>`${attempt.error}`.as('error'),
          sql<number>`${attempt.duration_ms}::integer`.as('duration_ms'),
          sql<Date>`${attempt.at}::timestamptz`.as('at'),
          sql<Date>`${attempt.next_attempt_at}::timestamptz`.as('next_attempt_at'),
        ]),
    )
    .returning('number')
    .executeTakeFirst();
  if (written === undefined) return false;
  if (written.number % pruneEvery === 0) await pruneLog(db, id, written.number);
  return true;
};

/**
 * Records an attempt without changing the webhook.
 *
 * @throws WEBHOOK_NOT_FOUND when it was deleted meanwhile.
 */
export const recordOnly = async (db: Db, id: string, attempt: Attempt): Promise<Selectable<WebhookAttemptTable>> =>
  db.transaction().execute(async (tx) => {
    const { attempts: number } = await tx
      .updateTable('webhook')
      .set((column) => ({ attempts: column('attempts', '+', 1) }))
      .where('id', '=', id)
      .returning('attempts')
      .executeTakeFirstOrThrow(webhookNotFound);
    const row = { ...attempt, webhook_id: id, number };
    await tx.insertInto('webhook_attempt').values(row).execute();
    return row;
  });

const pruneLog = async (db: Db, id: string, newest: number): Promise<void> => {
  await db
    .deleteFrom('webhook_attempt')
    .where('webhook_id', '=', id)
    .where('number', '<=', newest - keptAttempts)
    .execute();
};
