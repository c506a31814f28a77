import type { StreamFilter, StreamTopic } from '@mintage/protocol/operations';
import { listen } from '../../db/listen.ts';
import type { Db } from '../../db/serviceTables.ts';
import { streamChannel } from '../../db/streamChannel.ts';
import { isNearlyWanted } from '../reads/events/filterFields.ts';
import type { StreamEvent } from '../reads/events/streamEvent.ts';
import type { Reading } from '../tokens/reading.ts';
import { shownEvents } from './shownEvents.ts';

export interface Stretch {
  /** Events with a greater number. */
  after: number;
  /** Events up to this number; absent: up to the newest. */
  upTo?: number;
  /** Most events. */
  limit: number;
  /** Leaves out some of what it does not want (`isNearlyWanted`). The rest is for `matcherOf`. */
  filter?: StreamFilter;
}

/**
 * Events of one topic, oldest first, for `shownEvents`. Numbers follow the order of commits, so once a number is visible no smaller one
 * can still appear.
 */
export const readEvents = async (
  db: Db,
  topic: StreamTopic,
  { after, upTo, limit, filter }: Stretch,
): Promise<readonly StreamEvent[]> => {
  let query = db
    .selectFrom('stream_event as e')
    .select(['topic', 'seq', 'eid', 'block_number', 'time', 'platform_id', 'wallet', 'user_id', 'retracts', 'data'])
    .where('topic', '=', topic)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
  if (upTo !== undefined) query = query.where('seq', '<=', upTo);
  if (filter !== undefined) query = query.where(isNearlyWanted(filter));
  return (await query.execute()) as StreamEvent[];
};

/** Newest number of each topic. */
export const newestNumbers = async (db: Db): Promise<Map<StreamTopic, number>> => {
  const rows = await db.selectFrom('stream_topic').select(['topic', 'last_seq']).execute();
  return new Map(rows.map(({ topic, last_seq }) => [topic, last_seq]));
};

export interface StreamReader {
  /** Number up to which every event of the topic was passed to its followers. */
  position(topic: StreamTopic): number;
  /**
   * Passes every event above the position to `take`, as clients get it, in order and at most `mostAtOnce` at a time, until the
   * returned function is called. Passing events and moving the position happen in one step.
   */
  follow(topic: StreamTopic, take: (events: readonly StreamEvent[]) => void): () => void;
  /** Calls `ring` when there are new events of any topic, until the returned function is called. */
  onNew(ring: () => void): () => void;
  /** All events after this number up to the position, for `shownEvents`, when they are still in memory, else null. */
  recent(topic: StreamTopic, after: number): readonly StreamEvent[] | null;
  /** Looks for new events now. */
  look(): Promise<void>;
  /** Resolves when the positions are known. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

export const mostAtOnce = 200;
const mostRecent = 1_000;
/** Polling interval, milliseconds: how long a lost notification can delay an event. */
const lookEveryMs = 1_000;

interface TopicState {
  position: number;
  /** Newest number known from notifications. */
  known: number;
  followers: Set<(events: readonly StreamEvent[]) => void>;
  /** The newest events up to the position, without a gap after `recentAfter`. */
  recent: StreamEvent[];
  recentAfter: number;
}

/**
 * The reader of the outbox, one per process: it listens for notifications, reads each new event once and passes it to
 * all followers. Polling finds events whose notification was lost, a second later.
 */
export const createStreamReader = (
  context: Pick<Reading, 'db' | 'config'>,
  onError: (error: unknown) => void,
): StreamReader => {
  const { db } = context;
  const topics = new Map<StreamTopic, TopicState>();
  const rings = new Set<() => void>();
  const ending = new AbortController();
  const { signal } = ending;
  let isReading = false;
  let ready: () => void;
  const readyPromise = new Promise<void>((resolve) => {
    ready = resolve;
  });

  const hear = (numbers: Iterable<[StreamTopic, number]>): void => {
    let isNew = false;
    for (const [topic, number] of numbers) {
      const state = topics.get(topic);
      isNew ||= number > (state?.known ?? 0);
      if (state !== undefined) state.known = Math.max(state.known, number);
      else
        topics.set(topic, { position: number, known: number, followers: new Set(), recent: [], recentAfter: number });
    }
    if (isNew) for (const ring of rings) ring();
  };

  const look = async (): Promise<void> => {
    hear(await newestNumbers(db));
    ready();
    await readAll();
  };

  const readAll = async (): Promise<void> => {
    if (isReading) return; // the read in progress continues until nothing is left
    isReading = true;
    try {
      for (let isBehind = true; isBehind && !signal.aborted; ) {
        const moved = await Promise.all([...topics].map(([topic, state]) => advance(topic, state)));
        isBehind = moved.includes(true);
      }
    } finally {
      isReading = false;
    }
  };

  const advance = async (topic: StreamTopic, state: TopicState): Promise<boolean> => {
    const { known } = state;
    if (state.position >= known) return false;
    if (state.followers.size === 0) {
      Object.assign(state, { position: known, recent: [], recentAfter: known });
      return false;
    }
    const events = await readEvents(db, topic, { after: state.position, upTo: known, limit: mostAtOnce });
    const shown = await shownEvents(context, events);
    if (signal.aborted) return false;
    state.position = events.length < mostAtOnce ? known : (events.at(-1) as StreamEvent).seq;
    state.recent.push(...events);
    if (state.recent.length > mostRecent) {
      const gone = state.recent.splice(0, state.recent.length - mostRecent);
      state.recentAfter = (gone.at(-1) as StreamEvent).seq;
    }
    for (const take of state.followers) take(shown);
    return true;
  };

  const tryTo = (work: () => Promise<void>): void => {
    if (!signal.aborted) work().catch(onError);
  };
  const listener = listen(db, {
    channel: streamChannel,
    heard(payload) {
      if (payload === null) return tryTo(look);
      hear(Object.entries(JSON.parse(payload)) as [StreamTopic, number][]);
      tryTo(readAll);
    },
    onError,
  });
  const timer = setInterval(() => tryTo(look), lookEveryMs).unref();

  const stateOf = (topic: StreamTopic): TopicState => {
    const state = topics.get(topic);
    if (state === undefined) throw new Error(`the position of ${topic} is not known yet`);
    return state;
  };
  return {
    position: (topic) => stateOf(topic).position,
    follow(topic, take) {
      const { followers } = stateOf(topic);
      followers.add(take);
      return () => followers.delete(take);
    },
    onNew(ring) {
      rings.add(ring);
      return () => rings.delete(ring);
    },
    recent(topic, after) {
      const { recent, recentAfter } = stateOf(topic);
      if (after < recentAfter) return null;
      const from = recent.findIndex(({ seq }) => seq > after);
      return from === -1 ? [] : recent.slice(from);
    },
    look,
    ready: readyPromise,
    async stop() {
      ending.abort();
      clearInterval(timer);
      await listener.stop();
    },
  };
};
