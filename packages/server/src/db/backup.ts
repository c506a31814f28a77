import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { jsonText } from '../jsonText.ts';
import { chainTables, type Database } from './chainTables.ts';
import { DatabaseClient } from './databaseClient.ts';
import { migrate, unappliedMigrations } from './migrate.ts';
import { placeOf } from './openDatabase.ts';
import { tablesOfAChain } from './table.ts';

/**
 * What a backup leaves out, since the chains say it again: what the index holds of a chain, and what it adds up over chains. Everything
 * else is in it, also a table that nobody thought of here. Events that were told stay, since webhooks count on from their numbers.
 */
const readAgain = new Set<string>([...tablesOfAChain(chainTables), 'earner', 'token_search', 'migration']);
readAgain.delete('stream_event');

const Manifest = z.object({
  format: z.literal(1),
  /** ISO time of the snapshot. */
  takenAt: z.string(),
  /** Names of the migrations that had made the tables. */
  migrations: z.array(z.string()),
  /** In the order in which their rows can be written: a table comes after those it refers to. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int(), sha256: z.string() }),
  ),
});
export type BackupManifest = z.infer<typeof Manifest>;

/** A backup or a database that does not fit; the message says why. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
  }
}

const manifestName = 'backup.json';
const fileOf = (folder: string, table: string): string => join(folder, `${table}.copy.gz`);

/**
 * Writes everything but the index into a new folder: one file a table, as PostgreSQL copies it, and what it is made of. All of it is of
 * one moment, while the service goes on. What is secret in it is sealed with keys that are not in it.
 *
 * @param folder - Does not exist yet, and does not before the backup is whole.
 * @param onLeftover - Told of what an interrupted backup into this folder left; it is removed.
 */
export const backUp = async (
  db: Kysely<Database>,
  folder: string,
  onLeftover: (path: string) => void = () => {},
): Promise<BackupManifest> => {
  if (existsSync(folder)) throw new BackupError(`${folder} is there already: name a new folder`);
  const unfinished = `${folder}.unfinished`;
  const client = await connect(db);
  try {
    await beAlone(client, folder);
    if (existsSync(unfinished)) {
      onLeftover(unfinished);
      await rm(unfinished, { recursive: true });
    }
    await mkdir(unfinished, { mode: 0o700 });
  } catch (error) {
    await client.end();
    throw error;
  }
  try {
    await client.query('begin isolation level repeatable read read only');
    const ran = await client.query<{ name: string }>('select name from migration order by 1');
    const migrations = ran.rows.map(({ name }) => name);
    const manifest: BackupManifest = { format: 1, takenAt: new Date().toISOString(), migrations, tables: [] };
    for (const name of await keptTables(client)) {
      const columns = await columnsOf(client, name);
      const counted = counting();
      await pipeline(
        client.query(copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout`)),
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            counted.add(chunk);
            yield chunk;
          }
        },
        createGzip(),
        createWriteStream(fileOf(unfinished, name), { mode: 0o600, flush: true }),
      );
      manifest.tables.push({ name, columns, ...counted.result() });
    }
    await client.query('commit');
    await writeFile(join(unfinished, manifestName), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
    await rename(unfinished, folder);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
};

/**
 * Makes the tables as they were, fills them, and brings them up to date. Signing is paused, because wallets may have signed after the
 * backup was taken; the index is empty, and indexers read the chains anew.
 *
 * @throws BackupError when the database is not empty, or the backup is damaged or of a newer version. Nothing is changed then.
 */
export const restore = async (db: Kysely<Database>, folder: string): Promise<BackupManifest> => {
  const manifest = await readManifest(folder);
  for (const { name, sha256, rows } of manifest.tables) {
    const counted = counting();
    const whole = await pipeline(createReadStream(fileOf(folder, name)), createGunzip(), async (chunks) => {
      for await (const chunk of chunks) counted.add(chunk);
    }).then(
      () => counted.result(),
      () => null, // missing, or cut off
    );
    if (whole?.sha256 !== sha256 || whole.rows !== rows)
      throw new BackupError(`${name} in the backup is not what was written: it is damaged`);
  }
  const { rows: tables } = await sql`select from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`.execute(db);
  if (tables.length > 0)
    throw new BackupError(
      'the database has tables already: a backup goes into an empty one, drop what is left of a restore that broke off',
    );

  const ours = await unappliedMigrations(db);
  const unknown = manifest.migrations.filter((name) => !ours.includes(name));
  if (unknown.length > 0)
    throw new BackupError(
      `this version does not have ${unknown.join(', ')}: restore with the one that made the backup`,
    );
  await migrate(db, { only: (name) => manifest.migrations.includes(name) });

  const client = await connect(db);
  try {
    await client.query('begin');
    await client.query(`truncate ${manifest.tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const { name, columns } of manifest.tables) {
      await pipeline(
        createReadStream(fileOf(folder, name)),
        createGunzip(),
        client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`)),
      );
    }
    await client.query(`insert into signing_pause (reason) values ($1) on conflict (only_row) do nothing`, [
      `restored from a backup of ${manifest.takenAt}`,
    ]);
    await client.query('commit');
  } catch (cause) {
    const { message } = cause as Error;
    throw new BackupError(
      `the rows could not be restored (${message}): drop the database, and restore into a new one`,
      {
        cause,
      },
    );
  } finally {
    await client.end();
  }
  await migrate(db);
  return manifest;
};

/** Until the connection ends. @throws BackupError while another backup into the folder is under way. */
const beAlone = async (client: pg.ClientBase, folder: string): Promise<void> => {
  const { rows } = await client.query<{ is: boolean }>('select pg_try_advisory_lock(hashtext($1)) as is', [
    `backup ${folder}`,
  ]);
  if (rows[0]?.is !== true) throw new BackupError(`another backup into ${folder} is under way`);
};

/** A connection of its own: streams of rows cannot be among statements that are sent one behind the other. */
const connect = (db: Kysely<Database>): Promise<pg.ClientBase & { end(): Promise<void> }> =>
  new DatabaseClient(placeOf(db)).connect();

const readManifest = async (folder: string): Promise<BackupManifest> => {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`${folder} is no backup: it has no ${manifestName}`);
  });
  const parsed = jsonText.pipe(Manifest).safeParse(text);
  if (!parsed.success) throw new BackupError(`${manifestName} is not as this version writes it`);
  return parsed.data;
};

/** Tables that a backup has, each after those that its rows refer to. */
const keptTables = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string; refers: string[] }>(`
    select relname as name, array(select confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid) as refers
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`);
  const left = new Map(rows.filter(({ name }) => !readAgain.has(name)).map(({ name, refers }) => [name, refers]));
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left].find(([, refers]) => refers.every((other) => !left.has(other)));
    if (next === undefined) throw new BackupError(`tables refer to each other: ${[...left.keys()].join(', ')}`);
    order.push(next[0]);
    left.delete(next[0]);
  }
  return order;
};

const columnsOf = async (client: pg.ClientBase, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const newline = 10;

/** Counts rows, each of which ends with a line, and hashes them. */
const counting = () => {
  const hash = createHash('sha256');
  let rows = 0;
  const add = (chunk: Buffer): void => {
    hash.update(chunk);
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) rows += 1;
  };
  return { add, result: () => ({ rows, sha256: hash.digest('hex') }) };
};
