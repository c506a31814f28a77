import { type Kysely, sql } from 'kysely';
import {
  BrokenSealError,
  KekMissingError,
  type KeyEncryption,
  type SealContext,
  type Sealed,
} from './keyEncryption.ts';
import { rewrap } from './seal.ts';

/** A column of sealed secrets (jsonb, null where there is none), and the seal context of each row. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns that name a row, text or UUID; their values in this order are what `contextOf` gets. */
  key: readonly string[];
  contextOf(...key: string[]): SealContext;
}

// oxlint-disable-next-line typescript/no-explicit-any -- of any database; the columns are named at run time
type AnyDb = Kysely<any>;

/** How many secrets of a column each KEK seals, by its name. */
export const kekCounts = async (db: AnyDb, { table, column }: SealedColumn): Promise<Map<string, number>> => {
  const { rows } = await sql<{ kek: string; count: number }>`
    select ${sql.ref(column)}->>'kek' as kek, count(*)::integer as count from ${sql.table(table)}
    where ${sql.ref(column)} is not null group by 1`.execute(db);
  return new Map(rows.map(({ kek, count }) => [kek, count]));
};

/** @throws KekMissingError when one of these columns holds a secret sealed by a KEK that is not configured. */
export const refuseForeignSeals = async (
  db: AnyDb,
  keys: KeyEncryption,
  columns: readonly SealedColumn[],
): Promise<void> => {
  for (const column of columns) {
    for (const kek of (await kekCounts(db, column)).keys()) {
      if (!keys.ids.includes(kek)) throw new KekMissingError(kek, keys.ids);
    }
  }
};

const atOnce = 200;

export interface Rewrapped {
  /** Number of secrets whose data key is now wrapped by the first KEK. */
  moved: number;
  /** Keys of rows that do not open because they were altered; key columns are joined by a space. */
  broken: string[];
}

/**
 * Wraps with the first KEK the data keys of a column that other configured KEKs wrapped; the secrets themselves stay
 * sealed. Others may read and write the rows meanwhile: a row that changed is left for a further run, and so are
 * secrets of a KEK that is not configured.
 */
export const rewrapColumn = async (
  db: AnyDb,
  keys: KeyEncryption,
  { table, column, key, contextOf }: SealedColumn,
): Promise<Rewrapped> => {
  const others = keys.ids.filter((id) => id !== keys.id);
  const cell = sql.ref(column);
  const names = sql.join(key.map((name) => sql.ref(name)));
  const result: Rewrapped = { moved: 0, broken: [] };
  let after: readonly string[] | null = null;
  const nextRows = async (): Promise<SealedRow[]> => {
    const isBeyond = after === null ? sql`true` : sql`(${names}) > (${sql.join([...after])})`;
    const { rows } = await sql<SealedRow>`
      select array[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] as place, ${cell} as sealed
      from ${sql.table(table)} where ${cell}->>'kek' = any(${others}) and ${isBeyond}
      order by ${names} limit ${atOnce}`.execute(db);
    return rows;
  };
  for (;;) {
    const rows = await nextRows();
    for (const { place, sealed } of rows) {
      try {
        const wrapped = JSON.stringify(await rewrap(keys, sealed, contextOf(...place)));
        const isRow = sql.join(
          key.map((name, index) => sql`${sql.ref(name)} = ${place[index]}`),
          sql` and `,
        );
        const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${cell} = ${wrapped}::jsonb
          where ${isRow} and ${cell} = ${JSON.stringify(sealed)}::jsonb`.execute(db);
        result.moved += Number(numAffectedRows);
      } catch (error) {
        if (!(error instanceof BrokenSealError)) throw error;
        result.broken.push(place.join(' '));
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return result;
    after = last.place;
  }
};

interface SealedRow {
  place: string[];
  sealed: Sealed;
}
