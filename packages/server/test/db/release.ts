import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/chainTables.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeMonths, monthlyTables } from '../../src/db/months.ts';

const folder = new URL('./releases/', import.meta.url);

/** Releases that `npm run record:release` has kept. */
export const releases: readonly string[] = readdirSync(folder);

/** Where a file of a release is. */
export const fileOf = (release: string, file: 'answers.json' | 'chain.json' | 'deployment.json' | 'rows.txt'): string =>
  fileURLToPath(new URL(`${release}/${file}`, folder));

/** Makes the tables as the release had them in an empty database, with every row of them. */
export const loadRelease = async (db: Kysely<Database>, release: string): Promise<void> => {
  const rows = rowsOf(release);
  const ran = new Set((rows.get('migration') ?? []).map((row) => JSON.parse(row).name));
  await migrate(db, { only: (name) => ran.has(name) });
  const times = monthlyTables.flatMap((name) => (rows.get(name) ?? []).map((row) => new Date(JSON.parse(row).time)));
  if (ran.has('0010_partitions.sql')) await makeMonths(db, times);
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx); // tables in any order
    for (const [name, ofTable] of rows) {
      const table = sql.table(name);
      await sql`delete from ${table}`.execute(tx); // of what the migrations put there
      await sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${`[${ofTable.join(',')}]`})`.execute(
        tx,
      );
    }
  });
};

/** Rows by table, as text: their numbers are larger than JavaScript's. */
const rowsOf = (release: string): Map<string, string[]> => {
  const lines = readFileSync(fileOf(release, 'rows.txt'), 'utf8').trimEnd().split('\n');
  const rows = new Map<string, string[]>();
  for (const line of lines) {
    const end = line.indexOf(' ');
    const table = line.slice(0, end);
    rows.set(table, [...(rows.get(table) ?? []), line.slice(end + 1)]);
  }
  return rows;
};
