import type { Eid } from '@mintage/protocol';
import type { StreamTopic } from '@mintage/protocol/operations';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './chainTables.ts';
import { streamChannel } from './streamChannel.ts';

/** An event that has no number yet. */
export interface News {
  topic: StreamTopic;
  eid: Eid;
  block_number: number;
  /** Of the block, or when it happened in the service. */
  time: Date;
  /** Of the token that it is about; null: none. */
  platform_id: string | null;
  /** The holder (`walletBalances`) or recipient (`walletFees`); null in other topics. */
  wallet: string | null;
  /** Whom it is for (`notifications`); absent: anybody. */
  user_id?: string;
  /** Number of the event that this one retracts; null for an ordinary event. */
  retracts: number | null;
  /** The event's data, without bigint: amounts are decimal text. */
  data: object;
}

/**
 * Appends events to their topics, in the given order. Call it last in a transaction: from here to its end it locks the
 * topics, so numbers follow the order of commits over all chains, and a reader of 7 can already see 6. A published
 * event must survive a crash of the server, so this commit waits for the disk.
 *
 * @returns Their numbers.
 */
export const publish = async (tx: Transaction<Database>, news: readonly News[]): Promise<number[]> => {
  if (news.length === 0) return [];
  const counts: Partial<Record<StreamTopic, number>> = {};
  const events = news.map((one) => {
    const nth = (counts[one.topic] ?? 0) + 1;
    counts[one.topic] = nth;
    return { ...one, nth };
  });
  const counted = JSON.stringify(counts);
  await sql`set local synchronous_commit = on`.execute(tx);
  // In the same order in every transaction, to avoid deadlocks. Only the statements after it see the numbers of whom it waited for.
  await sql`select from stream_topic where topic in (select jsonb_object_keys(${counted}::jsonb))
    order by topic for update`.execute(tx);
  const { rows } = await sql<{ topic: StreamTopic; seq: number }>`
    insert into stream_event (topic, seq, eid, block_number, time, platform_id, wallet, user_id, retracts, data)
    select topic, last_seq + nth, eid, block_number, time, platform_id, wallet, user_id, retracts, data
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as new (topic text, nth bigint, eid bigint,
      block_number bigint, time timestamptz, platform_id text, wallet text, user_id uuid, retracts bigint, data jsonb)
    join stream_topic using (topic) returning topic, seq`.execute(tx);
  const first = new Map<StreamTopic, number>();
  for (const { topic, seq } of rows) first.set(topic, Math.min(seq, first.get(topic) ?? seq));
  await sql`with moved as (
      update stream_topic set last_seq = last_seq + new.value::bigint
      from jsonb_each_text(${counted}::jsonb) as new where topic = new.key returning topic, last_seq)
    select pg_notify(${streamChannel}, json_object_agg(topic, last_seq)::text) from moved`.execute(tx);
  return events.map(({ topic, nth }) => (first.get(topic) as number) + nth - 1);
};

const keptDays = 7;
const keptEvents = 1_000_000;
const pruneAtOnce = 5_000;

/** Deletes what is older than 7 days, or than the newest 1,000,000 of its topic. Looks at the oldest rows only. */
export const prune = async (db: Kysely<Database>): Promise<void> => {
  const topics = await db.selectFrom('stream_topic').selectAll().execute();
  for (const { topic, last_seq } of topics) {
    for (let deleted = pruneAtOnce; deleted === pruneAtOnce; ) {
      const result = await sql`delete from stream_event where topic = ${topic}
        and seq in (select seq from stream_event where topic = ${topic} order by seq limit ${pruneAtOnce})
        and (seq <= ${last_seq - keptEvents} or created_at < now() - make_interval(days => ${keptDays}))`.execute(db);
      deleted = Number(result.numAffectedRows ?? 0);
    }
  }
};
