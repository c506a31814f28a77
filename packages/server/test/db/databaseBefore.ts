import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/chainTables.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/openDatabase.ts';

/** A database in which all migrations have run that came before one of `migrations/all`. */
export interface DatabaseBefore {
  db: Kysely<Database>;
  /** Runs that one. @returns Names of the files that ran. */
  migrateOne(): Promise<string[]>;
  stop(): Promise<void>;
}

export const databaseBefore = async (name: string): Promise<DatabaseBefore> => {
  const database = await testDatabase();
  const path = await mkdtemp(join(tmpdir(), 'mintage-migrations-'));
  const schema = `before_${randomUUID().slice(0, 8)}`;
  await sql`create schema ${sql.id(schema)}`.execute(database.db);
  const url = new URL(database.url);
  url.searchParams.set('options', `-c search_path=${schema},public`);
  const db = openDatabase(url.href, { maxConnections: 1 });
  const source = new URL('../../src/db/migrations/', import.meta.url);
  const all = join(path, 'all');
  const folders = ['chain', 'service', 'signer', 'all'].map((folder) => pathToFileURL(`${join(path, folder)}/`));
  await cp(source, path, { recursive: true });
  for (const later of await readdir(all)) if (later >= name) await rm(join(all, later));
  await migrate(db, { folders });
  await cp(new URL(`all/${name}`, source), join(all, name));
  return {
    db,
    migrateOne: () => migrate(db, { folders }),
    stop: async () => {
      await db.destroy();
      await database.stop();
      await rm(path, { recursive: true });
    },
  };
};
