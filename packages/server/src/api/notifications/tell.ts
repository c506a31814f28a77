import { setTimeout as sleep } from 'node:timers/promises';
import { StreamTopic } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { Bell } from '../../bell.ts';
import { DatabaseUnavailableError } from '../../db/databaseUnavailable.ts';
import { ifWritable } from '../../db/ifWritable.ts';
import { listen } from '../../db/listen.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { streamChannel } from '../../db/streamChannel.ts';
import type { Log } from '../../log.ts';
import { pruneNotifications } from './prune.ts';
import { createPusher, type Pushing } from './push.ts';
import { tellActivity } from './tellActivity.ts';
import type { Teller } from './teller.ts';
import { tellFees, toldFrom } from './tellFees.ts';
import { tellHappenings, tellVotes } from './tellHappenings.ts';
import { endedAfter, tellIntents } from './tellIntents.ts';

export interface Telling {
  db: Db;
  now: () => number;
}

/** How long a lost announcement can delay what is told. */
const lookEveryMs = 1_000;
const gatherMs = 50;
const untold = 'Users could not be told what happened; trying again.';
const pruneEveryMs = 600_000;

/**
 * Tells users and streams what happened, until stopped: what is written as a happening, and what the outbox tells of the chains. Any
 * number of processes may do it on one database; one at a time works.
 */
export const keepTelling = (context: Telling & Pushing & { log: Log }): (() => Promise<void>) => {
  const { db, log, now } = context;
  const bell = new Bell();
  const pusher = createPusher(context);
  let isPrepared = false;
  let prunedAt = 0;
  const stop = new AbortController();
  const { signal } = stop;
  const listener = listen(db, {
    channel: streamChannel,
    heard: () => bell.ring(),
    onError: (err) => log.warn({ err }, 'What happens cannot be heard now; the tables are asked.'),
  });
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        isPrepared ||= (await ifWritable(() => prepareTelling(db))) ?? false;
        for (let isMore = isPrepared; isMore && !signal.aborted; ) {
          const told = await ifWritable(() => tell(context));
          isMore = told?.isMore ?? false;
          for (const err of told?.errors ?? []) log.error({ err }, untold);
          await pusher.push(told?.news ?? []);
        }
        if (now() - prunedAt > pruneEveryMs) {
          await ifWritable(() => pruneNotifications(db, new Date(prunedAt), new Date(now())));
          prunedAt = now();
        }
      } catch (err) {
        log.error({ err }, untold);
      }
      if (signal.aborted) return;
      await bell.wait(lookEveryMs);
      // Every page of every chain rings: what comes within this time is told at once.
      await sleep(gatherMs);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    bell.ring();
    await Promise.all([ended, listener.stop(), pusher.stop()]);
  };
};

export interface ToldNews {
  /** Whether there may be more. */
  isMore: boolean;
  /** Ids of notifications that were not there before. */
  news: string[];
  errors: unknown[];
}

/** Each is told in a transaction of its own, so that one that fails keeps no other from being told. */
const sources: readonly ((tx: Tx, teller: Teller, at: Date) => Promise<boolean>)[] = [
  tellHappenings,
  tellVotes,
  tellActivity,
  tellIntents,
  tellFees,
];

/** Tells some of what happened; what could not be told is tried again the next time. */
export const tell = async ({ db, now }: Telling): Promise<ToldNews> => {
  const told: ToldNews = { isMore: false, news: [], errors: [] };
  if (!(await isAnything(db, new Date(now())))) return told;
  for (const source of sources) {
    try {
      const { isMore, news } = await tellOne(db, source, new Date(now()));
      told.isMore ||= isMore;
      told.news.push(...news);
    } catch (error) {
      // One that takes too long keeps no other from being told.
      if (error instanceof DatabaseUnavailableError && error.reason !== 'slow') throw error;
      told.errors.push(error);
    }
  }
  return told;
};

/** Whether there may be something to tell: mostly there is not, and then nothing is locked. */
const isAnything = async (db: Db, at: Date): Promise<boolean> => {
  const { rows } = await sql<{ is_anything: boolean }>`
    select exists (select from happening) or teller.seq < topic.last_seq
      or exists (select from intent where ended_at > ${endedAfter(sql`teller.intents_at`)})
      or ${at}::timestamptz >= ${toldFrom(sql`teller.fees_day`)} as is_anything
    from teller join stream_topic topic on topic.topic = 'tokenActivity'`.execute(db);
  return rows[0]?.is_anything ?? false;
};

const tellOne = (db: Db, source: (typeof sources)[number], at: Date): Promise<Omit<ToldNews, 'errors'>> =>
  db.transaction().execute(async (tx) => {
    const teller = await lockTeller(tx);
    if (teller === null) return { isMore: false, news: [] }; // another process tells
    const before = await newestNotification(tx);
    const isMore = await source(tx, teller, at);
    return { isMore, news: await newsAfter(tx, before) };
  });

/** Number of the newest event; no other process makes some while this one tells. */
const newestNotification = async (tx: Tx): Promise<number> => {
  const { last_seq } = await tx
    .selectFrom('stream_topic')
    .select('last_seq')
    .where('topic', '=', 'notifications')
    .executeTakeFirstOrThrow();
  return last_seq;
};

const newsAfter = async (tx: Tx, seq: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select data->>'notification_id' as id from stream_event
    where topic = 'notifications' and seq > ${seq} and retracts is null and (data->'is_new')::boolean`.execute(tx);
  return rows.map(({ id }) => id);
};

const lockTeller = async (tx: Tx): Promise<Teller | null> => {
  const { rows } = await sql<Teller>`select seq, votes_at, intents_at, to_char(fees_day, 'YYYY-MM-DD') as fees_day
    from teller for update skip locked`.execute(tx);
  return rows[0] ?? null;
};

/** Makes what telling needs: the topics, and a beginning, which is now. A database of before has neither. */
export const prepareTelling = async (db: Db): Promise<true> => {
  // From the clock on, as those that the first migrations made.
  await sql`insert into stream_topic (topic, last_seq)
    select topic, floor(extract(epoch from now()) * 1000) from unnest(${StreamTopic.options}::text[]) topic
    on conflict do nothing`.execute(db);
  await sql`insert into teller (seq) select last_seq from stream_topic where topic = 'tokenActivity'
    on conflict do nothing`.execute(db);
  return true;
};
