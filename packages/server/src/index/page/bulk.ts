import { CompiledQuery, type Kysely } from 'kysely';
import { chainTables, type Database, type Row } from '../../db/chainTables.ts';
import type { Table } from '../../db/table.ts';

/** Bulk statements for one table: new rows by COPY, other rows as one array per column, expanded by `unnest`. */

type TableName = keyof Database;
type ColumnOf<Name extends TableName> = keyof Row<Name> & string;

const declared = (name: TableName): Table => chainTables[name];

const columnsOf = <Name extends TableName>(name: Name) => Object.keys(declared(name).columns) as ColumnOf<Name>[];

export const keyColumns = <Name extends TableName>(name: Name) => declared(name).key as readonly ColumnOf<Name>[];

const typeOf = (name: TableName, column: string) => declared(name).columns[column]?.type;

/** Arrays of jsonb travel as text, because the driver has no array form for them. */
const arrayOf = <Name extends TableName>(name: Name, columns: readonly ColumnOf<Name>[], rows: readonly Row<Name>[]) =>
  columns.map((column) =>
    typeOf(name, column) === 'jsonb'
      ? rows.map((row) => (row[column] === null ? null : JSON.stringify(row[column])))
      : rows.map((row) => row[column]),
  );

const placeholders = (name: TableName, columns: readonly string[]) =>
  columns
    .map((column, i) => `$${i + 1}::${typeOf(name, column) === 'jsonb' ? 'text' : typeOf(name, column)}[]`)
    .join(', ');

const selected = (name: TableName, columns: readonly string[]) =>
  columns.map((column) => (typeOf(name, column) === 'jsonb' ? `"${column}"::jsonb` : `"${column}"`)).join(', ');

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** Adds rows whose keys are not there yet. */
export const insertRows = async <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  rows: readonly Row<Name>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const text = `copy ${name} (${quoted(columnsOf(name))}) from stdin`;
  await tx.executeQuery(CompiledQuery.raw(text, [copyText(name, rows)]));
};

/** Writes rows whose keys are there over the old ones. */
export const updateRows = async <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  rows: readonly Row<Name>[],
): Promise<void> => {
  if (rows.length === 0) return;
  const key = keyColumns(name);
  const { columns } = declared(name);
  const replaced = columnsOf(name).filter((column) => !key.includes(column) && !columns[column]?.isConstant);
  const sent = [...key, ...replaced];
  const text = `update ${name} t set ${replaced.map((column) => `"${column}" = new."${column}"`).join(', ')}
    from (select ${selected(name, sent)} from unnest(${placeholders(name, sent)}) as new (${quoted(sent)})) as new
    where ${key.map((column) => `t."${column}" = new."${column}"`).join(' and ')}`;
  await tx.executeQuery(CompiledQuery.raw(text, arrayOf(name, sent, rows)));
};

/** The rows with these keys, each `[eid, …]` in the order of the table's key. */
export const selectRows = async <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  keys: readonly (readonly unknown[])[],
): Promise<Row<Name>[]> => {
  if (keys.length === 0) return [];
  const columns = keyColumns(name);
  const text = `select t.* from ${name} t
    join unnest(${placeholders(name, columns)}) as wanted (${quoted(columns)}) using (${quoted(columns)})`;
  const arrays = columns.map((_, i) => keys.map((key) => key[i]));
  const { rows } = await tx.executeQuery(CompiledQuery.raw(text, arrays));
  return rows as Row<Name>[];
};

/** Rows as COPY takes them: a line each, its values between tabs. */
export const copyText = <Name extends TableName>(name: Name, rows: readonly Row<Name>[]): string => {
  const columns = columnsOf(name);
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
