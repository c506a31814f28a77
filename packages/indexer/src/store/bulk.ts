import { CompiledQuery, type Kysely } from 'kysely';
import type { Database, Row } from '../db/tables.ts';
import type { TableSpec } from './specs.ts';

/** Rows of one table in one statement: one array per column, opened up by `unnest`. */

const columnsOf = <Name extends keyof Database>(spec: TableSpec<Name>): (keyof Row<Name> & string)[] =>
  Object.keys(spec.columns) as (keyof Row<Name> & string)[];

/** Arrays of jsonb travel as text, because the driver has no array form for them. */
const arrayOf = <Name extends keyof Database>(
  spec: TableSpec<Name>,
  columns: readonly (keyof Row<Name> & string)[],
  rows: readonly Row<Name>[],
) =>
  columns.map((column) =>
    spec.columns[column] === 'jsonb'
      ? rows.map((row) => (row[column] === null ? null : JSON.stringify(row[column])))
      : rows.map((row) => row[column]),
  );

const placeholders = <Name extends keyof Database>(
  spec: TableSpec<Name>,
  columns: readonly (keyof Row<Name> & string)[],
) =>
  columns
    .map((column, i) => `$${i + 1}::${spec.columns[column] === 'jsonb' ? 'text' : spec.columns[column]}[]`)
    .join(', ');

const selected = <Name extends keyof Database>(spec: TableSpec<Name>, columns: readonly (keyof Row<Name> & string)[]) =>
  columns.map((column) => (spec.columns[column] === 'jsonb' ? `"${column}"::jsonb` : `"${column}"`)).join(', ');

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** Adds the rows; one whose key is there already is left as it is. */
export const insertRows = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  rows: readonly Row<Name>[],
): Promise<void> => {
  if (rows.length > 0) await run(tx, spec, rows, 'nothing');
};

/** Adds the rows, or replaces those with the same keys. */
export const upsertRows = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  rows: readonly Row<Name>[],
): Promise<void> => {
  const others = columnsOf(spec).filter((column) => !spec.key.includes(column));
  const replace = others.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  if (rows.length > 0) await run(tx, spec, rows, `update set ${replace}`);
};

const run = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  rows: readonly Row<Name>[],
  onConflict: string,
): Promise<void> => {
  const columns = columnsOf(spec);
  const text = `insert into ${spec.name} (${quoted(columns)})
    select ${selected(spec, columns)} from unnest(${placeholders(spec, columns)}) as new (${quoted(columns)})
    on conflict (${quoted(spec.key)}) do ${onConflict}`;
  await tx.executeQuery(CompiledQuery.raw(text, arrayOf(spec, columns, rows)));
};

/** The rows with these keys, each `[chain_id, …]` in the order of the table's key. */
export const selectRows = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  keys: readonly (readonly unknown[])[],
): Promise<Row<Name>[]> => {
  if (keys.length === 0) return [];
  const text = `select t.* from ${spec.name} t
    join unnest(${placeholders(spec, spec.key)}) as wanted (${quoted(spec.key)}) using (${quoted(spec.key)})`;
  const arrays = spec.key.map((_, i) => keys.map((key) => key[i]));
  const { rows } = await tx.executeQuery(CompiledQuery.raw(text, arrays));
  return rows as Row<Name>[];
};
