import { DatabaseClient } from './databaseClient.ts';

/** What a server says of itself. */
export interface ServerState {
  /** Of the data that it holds: a standby has that of the server it follows. */
  system: string;
  isStandby: boolean;
  /** Grows with every promotion; 0 of a standby. */
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
  stop(): Promise<void>;
}

/** A server that takes longer to answer is as good as gone. */
const patienceMs = 3_000;

const connectMs = 2_000;

const question = `select pg_is_in_recovery() as "isStandby",
  case when pg_is_in_recovery() then 0
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text as position`;

/** One server of a database, on a connection of its own, which is made again when it was lost. */
export const watchServer = (url: string): WatchedServer => {
  let connected: { client: DatabaseClient; system: string } | null = null;
  let state: ServerState | null = null;
  let failure: Error | null = null;

  const connect = async (): Promise<{ client: DatabaseClient; system: string }> => {
    const client = new DatabaseClient({ connectionString: url, keepAlive: true, connectionTimeoutMillis: connectMs });
    await client.connect();
    const { rows } = await client.query('select system_identifier::text as system from pg_control_system()');
    return { client, system: rows[0].system };
  };
  const ask = async (): Promise<ServerState | null> => {
    let late: NodeJS.Timeout | undefined;
    try {
      connected ??= await connect();
      const { client, system } = connected;
      late = setTimeout(() => client.cut(new Error('the server does not answer')), patienceMs);
      const { isStandby, timeline, position } = (await client.query(question)).rows[0];
      state = { system, isStandby, timeline, position: BigInt(position) };
    } catch (error) {
      failure = error as Error;
      const lost = connected;
      connected = null;
      state = null;
      await lost?.client.end().catch(() => undefined); // it may be closed already
    } finally {
      clearTimeout(late);
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
    async stop() {
      await connected?.client.end().catch(() => undefined);
    },
  };
};

/** Asks once for all who want to know while a question is on its way: the answer to that one may be older than their wish. */
const shared = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    running = ask().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
};
