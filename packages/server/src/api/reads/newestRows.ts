import { monthOf } from '../../db/months.ts';

/** From when to when a history goes; null: it is not known when it began. */
export interface Span {
  from: Date | null;
  until: Date;
}

/**
 * One page of a history, newest first. A statement is planned for every month that it may touch, 0.1 ms and more each: so the
 * last two months are read first, then eight, and all of them only where those do not fill the page.
 *
 * @param limit - Rows of a full page.
 * @param read - Reads the page of the rows since a time.
 */
export const newestRows = async <Row>(
  { from, until }: Span,
  limit: number,
  read: (since: Date) => Promise<Row[]>,
): Promise<Row[]> => {
  for (const monthsBefore of [1, 7]) {
    const since = monthOf(until, -monthsBefore);
    if (from !== null && from >= since) break;
    const rows = await read(since);
    if (rows.length === limit) return rows;
  }
  return read(from ?? beginning);
};

/** Before any block. */
const beginning = new Date(0);
