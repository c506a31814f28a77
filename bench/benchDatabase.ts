import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDatabase, startDatabase } from '@mintage/server/db';
import { sql } from 'kysely';

/** A database server of our own, as durable as an operator's, in a folder that goes with it. */
export interface BenchDatabase extends RunningDatabase {
  home: string;
}

export const startBenchDatabase = async (): Promise<BenchDatabase> => {
  const home = mkdtempSync(join(tmpdir(), 'mintage-bench-'));
  chmodSync(home, 0o755);
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  try {
    const database = await startDatabase({ home });
    const stop = async (): Promise<void> => {
      await database.stop();
      remove();
    };
    return { ...database, home, stop };
  } catch (error) {
    remove();
    throw error;
  }
};

/** An empty database on the server for one piece of work; the server's memory is written out before. */
export const inOwnDatabase = async <T>(
  { db, url }: RunningDatabase,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> => {
  const own = new URL(url);
  own.pathname = '/bench_round';
  await sql`drop database if exists bench_round with (force)`.execute(db);
  await sql`create database bench_round`.execute(db);
  await sql`checkpoint`.execute(db);
  try {
    return await work(own.href);
  } finally {
    await sql`drop database bench_round with (force)`.execute(db);
  }
};
