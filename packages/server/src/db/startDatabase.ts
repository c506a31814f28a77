import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import type { Database } from './chainTables.ts';
import { requireSameTime } from './clock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres.ts';
import { type OpenOptions, openDatabase } from './openDatabase.ts';
import { type Servers, watchServers } from './servers.ts';

export interface RunningDatabase {
  db: Kysely<Database>;
  /** Where there is more than one. */
  servers?: Servers | undefined;
  /** Address for further connections, also from other processes. */
  url: string;
  /** Closes the connections of `db`, and ends the server when it is the embedded one. */
  stop(): Promise<void>;
}

export interface DatabaseConfig extends Omit<OpenOptions, 'servers'> {
  /** `MINTAGE_HOME`: where the embedded server keeps its data. */
  home: string;
  /** `DATABASE_URL`: a server of the operator's, PostgreSQL 15 or newer. Absent or empty: the embedded one. */
  url?: string;
  /** `DATABASE_REPLICA_URLS`: its standbys, any of which may take writes by now. */
  replicaUrls?: readonly string[];
  /** What is said of several servers; default: warnings, on stderr. */
  log?: Log;
  /** Our clock, milliseconds since 1970; replaced in tests. */
  now?: () => number;
}

/**
 * The deployment's database, without tables yet: see `migrate`.
 *
 * @throws When it cannot be used: its data, its version, or a clock that differs from ours by more than a minute.
 */
export const startDatabase = async ({
  home,
  url,
  replicaUrls = [],
  log = onStderr,
  now = Date.now,
  ...options
}: DatabaseConfig): Promise<RunningDatabase> => {
  const embedded: EmbeddedPostgres | undefined = url ? undefined : await startEmbeddedPostgres({ home });
  const address = embedded?.url ?? (url as string);
  const servers = replicaUrls.length === 0 ? undefined : watchServers([address, ...replicaUrls], log);
  const db = openDatabase(address, { ...options, servers });
  const stop = async () => {
    await db.destroy();
    await servers?.stop();
    await embedded?.stop();
  };
  try {
    await servers?.look();
    await requireVersion(db);
    await requireSameTime(db, now);
  } catch (error) {
    await stop();
    throw error;
  }
  return { db, servers, url: address, stop };
};

const onStderr: Log = { info() {}, warn: (_, line) => console.error(line), error: (_, line) => console.error(line) };

const requireVersion = async (db: Kysely<Database>): Promise<void> => {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  const version = rows[0]?.version ?? 0;
  if (version < 150_000) throw new Error(`PostgreSQL 15 or newer is needed, the server says ${version}`);
};
