import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A statement that two databases understand differently; each says the types of its parameters or why it refuses it. */
export interface Difference {
  statement: string;
  one: string;
  other: string;
}

/** What `note.ts` left in a folder, each once. */
export const notedStatements = (folder: string): string[] => {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trimEnd());
  return [...new Set(files.flatMap((text) => text.split('\n')))].map((line) => JSON.parse(line) as string);
};

/**
 * Has both databases, which have the same tables, read every statement without running it. What neither can prepare is no
 * difference: transactions and settings, and what names tables that a test had made.
 */
export const compareStatements = async (
  one: string,
  other: string,
  statements: readonly string[],
): Promise<{ prepared: number; differences: Difference[] }> => {
  const readers = [new pg.Client(one), new pg.Client(other)] as const;
  try {
    for (const reader of readers) await reader.connect();
    const read = async (statement: string) => Promise.all(readers.map((reader) => readBy(reader, statement)));
    let prepared = 0;
    const differences: Difference[] = [];
    for (const statement of statements) {
      const [first, second] = (await read(statement)) as [Reading, Reading];
      if (first.isPrepared && second.isPrepared) prepared += 1;
      const isSame = first.isPrepared === second.isPrepared && (first.text === second.text || !first.isPrepared);
      if (!isSame) differences.push({ statement, one: first.text, other: second.text });
    }
    return { prepared, differences };
  } finally {
    for (const reader of readers) await reader.end();
  }
};

interface Reading {
  isPrepared: boolean;
  /** The types of its parameters, such as `{bigint,text}`, or the error. */
  text: string;
}

const readBy = async (client: pg.Client, statement: string): Promise<Reading> => {
  try {
    // The extended protocol refuses a second statement behind the first, which would be run.
    await client.query({ text: `prepare noted as ${statement}`, queryMode: 'extended' } as pg.QueryConfig);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { isPrepared: false, text: error.message };
  }
  const { rows } = await client.query<{ types: string }>(
    'select parameter_types::text as types from pg_prepared_statements',
  );
  await client.query('deallocate all');
  return { isPrepared: true, text: rows[0]?.types ?? '' };
};
