import type { Eid } from '@mintage/protocol';
import { CompiledQuery, type Kysely } from 'kysely';
import { chainTables, type Database, type Row } from '../../db/chainTables.ts';
import type { Column, SqlType, Table } from '../../db/table.ts';

/** Bulk statements for one table: new rows by COPY, other rows as one array per column, expanded by `unnest`. */

type TableName = keyof Database;
type ColumnOf<Name extends TableName> = keyof Row<Name> & string;

const declared = (name: TableName): Table => chainTables[name];

const columnsOf = <Name extends TableName>(name: Name) => Object.keys(declared(name).columns) as ColumnOf<Name>[];

export const keyColumns = <Name extends TableName>(name: Name) => declared(name).key as readonly ColumnOf<Name>[];

const typeOf = (name: TableName, column: string): SqlType => (declared(name).columns[column] as Column).type;

const placeholders = (name: TableName, columns: readonly string[]) =>
  columns.map((column, i) => `$${i + 1}::${typeOf(name, column)}[]`).join(', ');

const quoted = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ');

/** Adds rows whose keys are not there yet. */
export const insertRows = <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  rows: readonly Row<Name>[],
): Promise<void> => (rows.length === 0 ? Promise.resolve() : insertCopied(tx, name, [copyText(name, rows)]));

/** The same of rows that `copyText` wrote. */
export const insertCopied = async <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  texts: readonly (string | Buffer)[],
): Promise<void> => {
  const text = `copy ${name} (${quoted(columnsOf(name))}) from stdin`;
  await tx.executeQuery(CompiledQuery.raw(text, [texts]));
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
    from unnest(${placeholders(name, sent)}) as new (${quoted(sent)})
    where ${key.map((column) => `t."${column}" = new."${column}"`).join(' and ')}`;
  const columnText = (column: ColumnOf<Name>) =>
    arrayText(
      typeOf(name, column),
      rows.map((row) => row[column]),
    );
  await tx.executeQuery(CompiledQuery.raw(text, sent.map(columnText)));
};

/** The chain's rows with these keys, each without `eid` and in the order of the table's key. */
export const selectRows = async <Name extends TableName>(
  tx: Kysely<Database>,
  name: Name,
  eid: Eid,
  keys: readonly (readonly unknown[])[],
): Promise<Row<Name>[]> => {
  if (keys.length === 0) return [];
  const columns = keyColumns(name);
  const text = `select t.* from ${name} t
    join unnest(${placeholders(name, columns)}) as wanted (${quoted(columns)}) using (${quoted(columns)})`;
  const arrays = columns.map((column, i) =>
    arrayText(
      typeOf(name, column),
      keys.map((key) => (i === 0 ? eid : key[i - 1])),
    ),
  );
  const { rows } = await tx.executeQuery(CompiledQuery.raw(text, arrays));
  return rows as Row<Name>[];
};

/** Rows as COPY takes them: a line each, its values between tabs. */
export const copyText = <Name extends TableName>(name: Name, rows: readonly Row<Name>[]): string => {
  const columns = columnsOf(name).map((column) => ({ column, write: writers[typeOf(name, column)] }));
  let text = '';
  for (const row of rows) {
    let tab = '';
    for (const { column, write } of columns) {
      const value = row[column];
      text += tab + (value === null ? '\\N' : write.copied(value));
      tab = '\t';
    }
    text += '\n';
  }
  return text;
};

/** A column's values as one array literal: the driver would look at each value, and quote it, one by one. */
const arrayText = (type: SqlType, values: readonly unknown[]): string => {
  const { element } = writers[type];
  let text = '';
  let comma = '{';
  for (const value of values) {
    text += comma + (value === null ? 'NULL' : element(value));
    comma = ',';
  }
  return `${text}}`;
};

/** How values of a type that are not null stand in a line of COPY, and in an array literal. */
interface Writer {
  copied(value: unknown): string;
  element(value: unknown): string;
}

/** A type whose values hold nothing that has to be escaped. */
const plain = (print: (value: unknown) => string): Writer => ({ copied: print, element: print });

const escaping = (print: (value: unknown) => string): Writer => ({
  copied: (value) => {
    const text = print(value);
    return special.test(text) ? text.replace(everySpecial, escaped) : text;
  },
  element: (value) => {
    const text = print(value);
    return `"${quotable.test(text) ? text.replace(everyQuotable, '\\$&') : text}"`;
  },
});

/** Neighbours in a page are mostly of one block, so the last moment is remembered with its text. */
let lastMs = 0;
let lastTime = new Date(lastMs).toISOString();
const timeText = (value: unknown): string => {
  const time = value as Date;
  const ms = time.getTime();
  if (ms !== lastMs) {
    lastTime = time.toISOString();
    lastMs = ms;
  }
  return lastTime;
};

const number = plain(String);
const text = escaping(String);
const list = escaping((value) => `{${(value as unknown[]).map((one) => text.element(one)).join(',')}}`);
const writers: Record<SqlType, Writer> = {
  int2: number,
  int4: number,
  int8: number,
  float8: number,
  numeric: number,
  bool: number,
  text,
  uuid: text,
  date: text,
  timestamptz: plain(timeText),
  jsonb: escaping((value) => JSON.stringify(value)),
  _int8: list,
  _text: list,
};

const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (character: string): string => escapes[character] as string;
const quotable = /["\\]/;
const everyQuotable = /["\\]/g;
