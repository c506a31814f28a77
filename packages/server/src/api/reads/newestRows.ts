import { monthOf } from '../../db/months.ts';

/** From when to when a history goes; null: it is not known when it began. */
export interface Span {
  from: Date | null;
  until: Date;
}

/**
 * One page of a history, newest first. A statement is planned for every month that it may touch, 0.1 ms each: so the last two
 * months are read first, and all of them only where those do not fill the page.
 *
 * @param limit - Rows of a full page.
 * @param read - Reads the page of the rows since a time.
 */
export const newestRows = async <Row>(
  { from, until }: Span,
  limit: number,
  read: (since: Date) => Promise<Row[]>,
): Promise<Row[]> => {
  const recently = monthOf(until, -1);
  if (from !== null && from > recently) return read(from);
  const rows = await read(recently);
  return rows.length === limit ? rows : read(from ?? beginning);
};

/** Before any block. */
const beginning = new Date(0);
