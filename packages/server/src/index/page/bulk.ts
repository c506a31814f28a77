import { CompiledQuery, type Kysely } from 'kysely';
import type { Database, Row } from '../../db/chainTables.ts';
import type { TableSpec } from './specs.ts';

/** Rows of one table in one statement: new ones by COPY, others as one array per column, opened up by `unnest`. */

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

/** Adds rows whose keys are not there yet. */
export const insertRows = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  rows: readonly Row<Name>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const text = `copy ${spec.name} (${quoted(columnsOf(spec))}) from stdin`;
  await tx.executeQuery(CompiledQuery.raw(text, [copyText(spec, rows)]));
};

/** Writes rows whose keys are there over the old ones. */
export const updateRows = async <Name extends keyof Database>(
  tx: Kysely<Database>,
  spec: TableSpec<Name>,
  rows: readonly Row<Name>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = columnsOf(spec);
  const replaced = columns.filter((column) => !spec.key.includes(column) && !spec.constant?.includes(column));
  const sent = [...spec.key, ...replaced];
  const text = `update ${spec.name} t set ${replaced.map((column) => `"${column}" = new."${column}"`).join(', ')}
    from (select ${selected(spec, sent)} from unnest(${placeholders(spec, sent)}) as new (${quoted(sent)})) as new
    where ${spec.key.map((column) => `t."${column}" = new."${column}"`).join(' and ')}`;
  await tx.executeQuery(CompiledQuery.raw(text, arrayOf(spec, sent, rows)));
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

/** Rows as COPY takes them: a line each, its values between tabs. */
export const copyText = <Name extends keyof Database>(spec: TableSpec<Name>, rows: readonly Row<Name>[]): string => {
  const columns = columnsOf(spec);
  let text = '';
  for (const row of rows) {
    let tab = '';
    for (const column of columns) {
      text += tab + copyValue(row[column]);
      tab = '\t';
    }
    text += '\n';
  }
  return text;
};

const copyValue = (value: unknown): string => {
  if (value === null) return '\\N';
  switch (typeof value) {
    case 'string':
      return special.test(value) ? value.replace(everySpecial, escaped) : value;
    case 'object':
      return value instanceof Date ? value.toISOString() : copyValue(JSON.stringify(value));
    default:
      return String(value);
  }
};

const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (character: string): string => escapes[character] as string;
