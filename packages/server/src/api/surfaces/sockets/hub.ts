import type { StreamFilter, StreamTopic } from '@mintage/protocol/operations';
import type { Logger } from 'pino';
import type { Db } from '../../../db/serviceTables.ts';
import { newestNumbers, readEvents, type StreamReader } from '../../events/reader.ts';
import { shownEvents } from '../../events/shownEvents.ts';
import type { Context } from '../../handlers/context.ts';
import { inTurn } from '../../limits/inTurn.ts';
import { type Matches, matcherOf } from '../../reads/events/filterFields.ts';
import type { StreamEvent } from '../../reads/events/streamEvent.ts';
import type { Client, Subscription } from './client.ts';

export interface Wish {
  id: string;
  filter: StreamFilter;
  /** Events after this number; absent: `latest`. */
  cursor?: 'latest' | 'earliest' | number;
  /** ISO time to start from; used when the cursor is not a number. */
  sinceTimestamp?: string;
  /** Most past events that are read and sent at once; absent: 100. */
  batchSize?: number;
}

/** Live subscriptions with the same id, filter and kind of line: they get the same bytes. */
interface Group {
  readonly id: string;
  readonly filter: StreamFilter;
  readonly matches: Matches;
  readonly encoding: Client['line']['encoding'];
  readonly members: Set<Subscription>;
  frames: Buffer[];
}

/**
 * Groups of live subscriptions of a topic, arranged so that an event quickly finds the ones it may match. Each group is
 * in one place only.
 */
class Groups {
  readonly all = new Map<string, Group>();
  readonly #byValue = new Map<string, Set<Group>>();
  readonly #others = new Set<Group>();

  add(key: string, group: Group): void {
    this.all.set(key, group);
    const values = valuesOf(group.filter);
    if (values === null) this.#others.add(group);
    for (const value of values ?? []) this.#byValue.set(value, (this.#byValue.get(value) ?? new Set()).add(group));
  }

  delete(key: string, group: Group): void {
    this.all.delete(key);
    this.#others.delete(group);
    for (const value of valuesOf(group.filter) ?? []) {
      const place = this.#byValue.get(value);
      place?.delete(group);
      if (place?.size === 0) this.#byValue.delete(value);
    }
  }

  *candidates({ user_id, wallet, platform_id }: StreamEvent): Iterable<Group> {
    for (const value of [user_id, wallet, platform_id]) if (value !== null) yield* this.#byValue.get(value) ?? [];
    yield* this.#others;
  }
}

/** By what an event finds a filter; of users, wallets and tokens no two are equal. Null: by none of these. */
const valuesOf = ({ userIds, wallets, tokenIds }: StreamFilter): readonly string[] | null =>
  userIds ?? wallets ?? tokenIds ?? null;

const defaultBatch = 100;
/** Most concurrent reads of past events, so that requests still get database connections. */
const readingPlaces = 4;
const restMs = 1_000;

/**
 * Delivers events to subscriptions: past events by reading the outbox, new events through groups. A live subscription
 * has received everything up to the reader's position at every moment, so moving between the two leaves no gap and no
 * duplicate.
 */
export class Hub {
  readonly #context: Pick<Context, 'config' | 'db' | 'log'>;
  readonly #db: Db;
  readonly #reader: StreamReader;
  readonly #log: Logger;
  readonly #groups = new Map<StreamTopic, Groups>();
  readonly #unfollow = new Map<StreamTopic, () => void>();
  readonly #subscribers = new Map<StreamTopic, number>();
  readonly #reading = inTurn(readingPlaces);
  /** Messages sent to clients since the start. */
  delivered = 0;

  constructor(context: Pick<Context, 'config' | 'db' | 'log'>, reader: StreamReader) {
    this.#context = context;
    this.#db = context.db;
    this.#reader = reader;
    this.#log = context.log;
  }

  /** Starts a subscription and confirms it to the client; its events follow. */
  async subscribe(
    client: Client,
    { id, filter, cursor, sinceTimestamp, batchSize = defaultBatch }: Wish,
  ): Promise<void> {
    const { topic } = filter;
    const subscription: Subscription = {
      id,
      client,
      filter,
      matches: matcherOf(filter),
      batchSize,
      groupKey: JSON.stringify([client.line.encoding.kind, id, filter]),
      after: this.#reader.position(topic),
      isEnded: false,
    };
    client.subscriptions.set(id, subscription);
    this.#count(topic, 1);
    const start = await this.#startOf(topic, cursor, sinceTimestamp).catch((error: unknown) => {
      this.unsubscribe(client, id);
      throw error;
    });
    if (subscription.isEnded) return;
    const { watermark } = start;
    client.send({ type: 'subscribed', id, watermark });
    if (start.isExpired) {
      client.error('CURSOR_EXPIRED', `Events after ${cursor} are not kept any more; the oldest kept follow`, id);
    }
    subscription.after = start.after;
    void this.#serve(subscription);
  }

  /** @returns False when there is no such subscription. */
  unsubscribe(client: Client, id: string): boolean {
    const subscription = client.subscriptions.get(id);
    if (subscription === undefined) return false;
    client.subscriptions.delete(id);
    subscription.isEnded = true;
    this.#leave(subscription);
    this.#count(subscription.filter.topic, -1);
    return true;
  }

  /** Ends all subscriptions of a client that is gone. */
  forget(client: Client): void {
    for (const id of client.subscriptions.keys()) this.unsubscribe(client, id); // a map may lose keys during iteration
  }

  /**
   * Stops the live events of a client that does not keep up; it then catches up from where it is, as fast as it can.
   */
  pause(client: Client): void {
    for (const subscription of client.subscriptions.values()) {
      if (!this.#leave(subscription)) continue;
      subscription.after = this.#reader.position(subscription.filter.topic);
      void this.#serve(subscription);
    }
  }

  /** Number at which to begin. The watermark is read from the database, because this process may lag behind it. */
  async #startOf(
    topic: StreamTopic,
    cursor: Wish['cursor'],
    sinceTimestamp: string | undefined,
  ): Promise<{ watermark: number; after: number; isExpired: boolean }> {
    const watermark = (await newestNumbers(this.#db)).get(topic) ?? 0;
    if (typeof cursor === 'number') {
      const oldest = (await this.#oldest(topic)) ?? watermark + 1;
      const isExpired = cursor > watermark || cursor + 1 < oldest;
      return { watermark, after: isExpired ? 0 : cursor, isExpired };
    }
    const since = sinceTimestamp === undefined ? undefined : await this.#before(topic, sinceTimestamp);
    const after = since ?? (cursor === 'earliest' ? 0 : watermark);
    return { watermark, after, isExpired: false };
  }

  async #oldest(topic: StreamTopic): Promise<number | null> {
    const row = await this.#db
      .selectFrom('stream_event')
      .select('seq')
      .where('topic', '=', topic)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    return row?.seq ?? null;
  }

  /**
   * The number below the first event at or after a time; undefined when all are older. Clocks differ between chains.
   */
  async #before(topic: StreamTopic, time: string): Promise<number | undefined> {
    const row = await this.#reading(() =>
      this.#db
        .selectFrom('stream_event')
        .select('seq')
        .where('topic', '=', topic)
        .where('time', '>=', new Date(time))
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst(),
    );
    return row === undefined ? undefined : row.seq - 1;
  }

  /** Sends past events from `after` on until the live events are reached. */
  async #serve(subscription: Subscription): Promise<void> {
    while (!subscription.isEnded) {
      try {
        if (await this.#step(subscription)) return;
      } catch (err) {
        this.#log.warn({ err }, 'Past events could not be read; trying again.');
        await new Promise((resolve) => setTimeout(resolve, restMs).unref());
      }
    }
  }

  /** One batch. @returns Whether the subscription is live now. */
  async #step(subscription: Subscription): Promise<boolean> {
    const { client, filter, batchSize: limit } = subscription;
    const { topic } = filter;
    await client.room();
    if (subscription.isEnded) return true;
    const position = this.#reader.position(topic);
    if (subscription.after > position) {
      await this.#reader.look(); // the client came from a process that was ahead of this one
      return false;
    }
    const recent = this.#reader.recent(topic, subscription.after);
    const events =
      recent?.slice(0, limit) ??
      (await this.#reading(() =>
        readEvents(this.#db, topic, { after: subscription.after, upTo: position, limit, filter }),
      ));
    const wanted = events.filter((event) => subscription.matches(event));
    const shown = wanted.length === 0 ? [] : await this.#reading(() => shownEvents(this.#context, wanted));
    if (subscription.isEnded) return true;
    for (const event of shown) {
      client.queue(client.line.encoding.event(subscription.id, event));
      this.delivered += 1;
    }
    const last = events.at(-1);
    subscription.after = last === undefined || events.length < limit ? position : last.seq;
    client.flush();
    if (subscription.isEnded || subscription.after < this.#reader.position(topic)) return subscription.isEnded;
    this.#join(subscription);
    return true;
  }

  #join(subscription: Subscription): void {
    const { groupKey, id, filter, matches, client } = subscription;
    const groups = this.#groupsOf(filter.topic);
    let group = groups.all.get(groupKey);
    if (group === undefined) {
      group = { id, filter, matches, encoding: client.line.encoding, members: new Set(), frames: [] };
      groups.add(groupKey, group);
    }
    group.members.add(subscription);
  }

  /** @returns Whether it was live. */
  #leave(subscription: Subscription): boolean {
    const groups = this.#groupsOf(subscription.filter.topic);
    const group = groups.all.get(subscription.groupKey);
    if (group === undefined || !group.members.delete(subscription)) return false;
    if (group.members.size === 0) groups.delete(subscription.groupKey, group);
    return true;
  }

  /** Frames each event once per group, and writes once to each client, whatever the number of events. */
  #fanOut(topic: StreamTopic, events: readonly StreamEvent[]): void {
    const groups = this.#groupsOf(topic);
    const touched = new Set<Group>();
    for (const event of events) {
      /** Frames by subscription id: clients that use the same id get the same bytes. */
      const frames = new Map<string, Buffer>();
      for (const group of groups.candidates(event)) {
        if (!group.matches(event)) continue;
        const { encoding, id } = group;
        const key = `${encoding.kind} ${id}`;
        const frame = frames.get(key) ?? encoding.event(id, event);
        frames.set(key, frame);
        group.frames.push(frame);
        touched.add(group);
      }
    }
    const clients = new Set<Client>();
    for (const group of touched) {
      const [first, ...more] = group.frames as [Buffer, ...Buffer[]];
      const bytes = more.length === 0 ? first : Buffer.concat(group.frames);
      this.delivered += group.frames.length * group.members.size;
      group.frames = [];
      for (const { client } of group.members) {
        client.queue(bytes);
        clients.add(client);
      }
    }
    for (const client of clients) client.flush();
  }

  /** Counts subscribers; the reader follows a topic only while it has some. */
  #count(topic: StreamTopic, change: 1 | -1): void {
    const count = (this.#subscribers.get(topic) ?? 0) + change;
    this.#subscribers.set(topic, count);
    if (count === 0) {
      this.#unfollow.get(topic)?.();
      this.#unfollow.delete(topic);
    } else if (!this.#unfollow.has(topic)) {
      this.#unfollow.set(
        topic,
        this.#reader.follow(topic, (events) => this.#fanOut(topic, events)),
      );
    }
  }

  #groupsOf(topic: StreamTopic): Groups {
    const groups = this.#groups.get(topic) ?? new Groups();
    this.#groups.set(topic, groups);
    return groups;
  }
}
