import { sql } from 'kysely';

/** `column = any(values)`: a list of any length, the empty one too, as a single parameter. */
export const oneOf = (column: string, values: readonly (string | number)[]) =>
  sql<boolean>`${sql.ref(column)} = any(${[...values]})`;
