import { type Expression, type RawBuilder, sql } from 'kysely';
import { monthOf } from '../../db/months.ts';

/** From when to when a history goes. */
export interface Span {
  /** Null: it is not known when it began. */
  from: Date | null;
  /** Null: it goes on. */
  until: Date | null;
}

/** The times of one part of a history: from the first, inclusive, to the second, exclusive; null: without end. */
export type Part = readonly [from: Date, before: Date | null];

/**
 * One page of a history, newest first. A statement is planned for every month that it may touch, 0.1 ms and more each: so the
 * last two months are read first, then eight, and all of them only where those do not fill the page.
 *
 * @param limit - Rows of a full page.
 * @param read - Reads the page of the rows in these parts, by `eachPart`.
 */
export const newestRows = async <Row>(
  { from, until }: Span,
  limit: number,
  read: (parts: readonly Part[]) => Promise<Row[]>,
): Promise<Row[]> => {
  const months = monthsBack(until);
  for (const count of [2, months.length]) {
    const newest = months.slice(0, count);
    const since = (newest.at(-1) as Part)[0];
    if (from !== null && from >= since) break;
    const rows = await read(newest);
    if (rows.length === limit) return rows;
  }
  const begins = from ?? beginning;
  const known = months.filter(([, before]) => before === null || before > begins);
  const oldest = (months.at(-1) as Part)[0];
  return read(begins < oldest ? [...known, [begins, oldest]] : known);
};

/** Before any block. */
const beginning = new Date(0);

/** Eight months up to this time, the newest first; a chain's clock may be ahead of ours, so those up to now have no end. */
const monthsBack = (until: Date | null): Part[] =>
  Array.from({ length: 8 }, (_, back) => {
    const isOpen = until === null && back === 0;
    const time = until ?? new Date();
    return [monthOf(time, -back), isOpen ? null : monthOf(time, 1 - back)];
  });

/**
 * The newest rows of each part, one below the other, for an order and a limit around them. Of several months at once the
 * database sorts all rows that there are as soon as one month is small: it reads that as a whole, so the order of the others'
 * index is of no use (247,000 credits of one wallet: 1.1 s on the first day of a month).
 *
 * @param select - Rows within a part, along an index, with an order and a limit of their own.
 */
export const eachPart = <Row>(
  parts: readonly Part[],
  select: (isWithin: RawBuilder<boolean>) => Expression<Row>,
): RawBuilder<Row> => {
  const within = ([from, before]: Part) =>
    before === null ? sql<boolean>`time >= ${from}` : sql<boolean>`time >= ${from} and time < ${before}`;
  return sql<Row>`(${sql.join(
    parts.map((part) => sql`(${select(within(part))})`),
    sql` union all `,
  )})`;
};

/** Within any of these parts, so that only their months are planned for. */
export const inParts = (column: string, parts: readonly Part[]): RawBuilder<boolean> => {
  const from = new Date(Math.min(...parts.map(([first]) => first.getTime())));
  return sql<boolean>`${sql.ref(column)} >= ${from}`;
};
