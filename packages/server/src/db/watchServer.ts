import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseClient } from './databaseClient.ts';

/** What a server says of itself. */
export interface ServerState {
  /** Of the data that it holds: a standby has that of the server it follows. */
  system: string;
  isStandby: boolean;
  /** Grows with every promotion. Of a standby that of the server it follows, as soon as it does. */
  timeline: number;
  /** Bytes of the log that are safe on it, or that a standby shows; all that was committed by then is before it. */
  position: bigint;
}

export interface WatchedServer {
  url: string;
  /** What it said last; null: it does not answer. */
  readonly state: ServerState | null;
  /** Why it did not answer when it last did not. */
  readonly failure: Error | null;
  /** Asks it. The answer is newer than the call, and shared by all who ask in the meantime. */
  look(): Promise<ServerState | null>;
  /** Calls `listener` each time it turns out not to answer. */
  onAway(listener: () => void): void;
  stop(): Promise<void>;
}

/** A server that takes longer to answer is as good as gone. */
const patienceMs = 3_000;

const newClient = (url: string): DatabaseClient => new DatabaseClient({ connectionString: url, keepAlive: true });

/** Without the right to read all statistics a standby tells its timeline from its last checkpoint, some minutes late. */
const question = `select pg_is_in_recovery() as "isStandby",
  case when pg_is_in_recovery()
    then coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text as position`;

/** One server of a database, on a connection of its own, which is made again when it was lost. */
export const watchServer = (url: string): WatchedServer => {
  let connection: { client: DatabaseClient; system: string | null } | null = null;
  let state: ServerState | null = null;
  let failure: Error | null = null;
  const listeners: (() => void)[] = [];

  const askServer = async (): Promise<ServerState> => {
    connection ??= { client: newClient(url), system: null };
    const { client } = connection;
    const late = setTimeout(() => client.cut(new Error('the server does not answer')), patienceMs);
    try {
      if (connection.system === null) {
        await client.connect();
        const { rows } = await client.query('select system_identifier::text as system from pg_control_system()');
        connection.system = rows[0].system as string;
      }
      const { isStandby, timeline, position } = (await client.query(question)).rows[0];
      return { system: connection.system, isStandby, timeline, position: BigInt(position) };
    } finally {
      clearTimeout(late);
    }
  };
  const ask = async (): Promise<ServerState | null> => {
    try {
      state = await askServer();
    } catch (error) {
      failure = error as Error;
      state = null;
      connection?.client.cut(failure);
      connection = null;
      for (const listener of listeners) listener();
    }
    return state;
  };

  return {
    url,
    get state() {
      return state;
    },
    get failure() {
      return failure;
    },
    look: shared(ask),
    onAway(listener) {
      listeners.push(listener);
    },
    async stop() {
      const client = connection?.client;
      // One that does not answer does not say goodbye either.
      await Promise.race([client?.end().catch(() => undefined), sleep(patienceMs, undefined, { ref: false })]);
      client?.cut(new Error('stopped'));
    },
  };
};

/** Asks once for all who want to know while a question is on its way: the answer to that one may be older than their wish. */
const shared = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null;
  let next: PromiseWithResolvers<T> | null = null;
  const begin = (): Promise<T> => {
    const one = ask();
    running = one;
    const ended = (): void => {
      const waiting = next;
      next = null;
      running = null;
      if (waiting !== null) begin().then(waiting.resolve, waiting.reject);
    };
    one.then(ended, ended);
    return one;
  };
  return () => {
    if (running === null) return begin();
    next ??= Promise.withResolvers<T>();
    return next.promise;
  };
};
