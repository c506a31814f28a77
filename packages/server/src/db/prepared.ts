import { createHash } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';

/** A query of the builder, or of `sql`. */
interface Preparable<Tables, Row> {
  compile(db: Kysely<Tables>): CompiledQuery<Row>;
}

/**
 * The rows of a read that is asked often. Each connection keeps its plan, and after five calls one plan serves all values if
 * it promises to be as cheap: planning takes most of the time of a short read.
 *
 * For statements of a few texts, whose best plan is the same for all values. Columns are named: after a column was added to a
 * table, a kept `select *` fails.
 */
export const prepared = async <Tables, Row>(db: Kysely<Tables>, query: Preparable<Tables, Row>): Promise<Row[]> => {
  const { sql, ...rest } = query.compile(db);
  const { rows } = await db.executeQuery<Row>({ ...rest, sql: mark + sql });
  return rows;
};

const mark = '/* prepared */ ';
const names = new Map<string, string>();
/** A connection keeps a plan for each; further texts are planned at each call. */
const mostNames = 200;

/** The name of a statement that `prepared` runs; undefined: it is not one of these. */
export const preparedName = (text: string): string | undefined => (text.startsWith(mark) ? nameOf(text) : undefined);

/** Under which each connection keeps the plan of a statement; undefined: there are enough of them. */
export const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === mostNames) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
};
