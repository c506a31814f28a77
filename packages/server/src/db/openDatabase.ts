import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './chainTables.ts';
import { DatabaseClient, type DatabaseClientConfig } from './databaseClient.ts';
import { DatabaseUnavailableError, type UnavailableReason } from './databaseUnavailable.ts';
import { Silence } from './silence.ts';

export interface OpenOptions {
  /** Where the database has several servers: every connection is to the one that takes writes. */
  servers?: DatabaseClientConfig['servers'];
  /** Is told of each connection. */
  keep?: DatabaseClientConfig['keep'];
  /** Most connections at once; 10 when absent. */
  maxConnections?: number;
  /** The server cancels a longer statement; no limit when absent. */
  statementTimeoutMs?: number;
  /**
   * When the database has said nothing for so long, on any connection, reads that wait for it fail, and further ones at once until it
   * answers again; milliseconds. Absent: they wait. Writes always do.
   */
  silentAfterMs?: number;
  /** An idle connection was lost. The pool opens another by itself; default: a line on stderr. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * A pool of connections as a typed query builder. Connects at the first query; close it with `destroy()`.
 *
 * Values: `numeric` without a fraction is bigint (with one: its text), `bigint` is number and throws beyond 2^53,
 * `timestamptz` is Date.
 */
export const openDatabase = <Tables = Database>(url: string, options: OpenOptions = {}): Kysely<Tables> => {
  const { servers, silentAfterMs } = options;
  const silence =
    silentAfterMs === undefined
      ? undefined
      : new Silence({
          afterMs: silentAfterMs,
          isOver: () => pool.ending,
          probe: (withinMs) => probe({ connectionString: url, servers }, withinMs),
        });
  const config: pg.PoolConfig & DatabaseClientConfig = {
    Client: DatabaseClient,
    silence,
    connectionString: url,
    servers,
    keep: options.keep,
    max: options.maxConnections ?? 10,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs,
    types: { getTypeParser },
    pipeline: true,
    onUnavailable: ({ reason }) => {
      adapter.unavailable[reason] += 1;
    },
  };
  const pool = new pg.Pool(config);
  const adapter = new OpenedAdapter({ connectionString: url, servers: options.servers }, pool);
  const report = options.onConnectionLost ?? ((error) => console.error(`database connection lost: ${error.message}`));
  pool.on('error', (error) => {
    if (!pool.ending) report(error);
  });
  const dialect = new PostgresDialect({ pool });
  dialect.createAdapter = () => adapter;
  return new Kysely<Tables>({ dialect });
};

/** Whether the database answers on a new connection. */
const probe = async (place: DatabasePlace, withinMs: number): Promise<void> => {
  const client = new DatabaseClient(place);
  const late = setTimeout(() => client.cut(new Error('the database says nothing')), withinMs);
  try {
    await client.connect();
    await client.query('select');
  } catch (error) {
    // A server that has no place for it answers all the same.
    if (!(error instanceof DatabaseUnavailableError) || error.reason === 'away') throw error;
  } finally {
    clearTimeout(late);
    client.cut(new Error('the probe is over'));
  }
};

/** Shared by all copies of a query builder: remembers where the database is and its pool, and counts what it could not do. */
class OpenedAdapter extends PostgresAdapter {
  readonly place: DatabasePlace;
  readonly pool: pg.Pool;
  readonly unavailable: Record<UnavailableReason, number> = { away: 0, full: 0, slow: 0 };

  constructor(place: DatabasePlace, pool: pg.Pool) {
    super();
    this.place = place;
    this.pool = pool;
  }
}

const adapterOf = <Tables>(db: Kysely<Tables>): OpenedAdapter => {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof OpenedAdapter)) throw new Error('this database was not opened by openDatabase');
  return adapter;
};

type DatabasePlace = Pick<DatabaseClientConfig, 'connectionString' | 'servers'>;

/** Where a database of `openDatabase` is, for a connection outside its pool. */
export const placeOf = <Tables>(db: Kysely<Tables>): DatabasePlace => adapterOf(db).place;

/** The pool of connections of a database of `openDatabase`. */
export const poolOf = <Tables>(db: Kysely<Tables>): pg.Pool => adapterOf(db).pool;

/**
 * How many connections and statements of this `db` failed because the database was unavailable, by reason; the counts
 * only grow.
 */
export const unavailableCounts = <Tables>(db: Kysely<Tables>): Readonly<Record<UnavailableReason, number>> =>
  adapterOf(db).unavailable;

const oid = { int8: 20, numeric: 1700, int8Array: 1016, numericArray: 1231 } as const;

const fromInt8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint column holds ${text}, beyond 2^53`);
  return value;
};

const fromNumeric = (text: string): bigint | string => (/^-?\d+$/.test(text) ? BigInt(text) : text);

/** One-dimensional arrays of numbers: `{1,NULL,3}`. */
const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : parse(item)));

const parsers = new Map<number, (text: string) => unknown>([
  [oid.int8, fromInt8],
  [oid.numeric, fromNumeric],
  [oid.int8Array, arrayOf(fromInt8)],
  [oid.numericArray, arrayOf(fromNumeric)],
]);

const getTypeParser = ((id: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser;
