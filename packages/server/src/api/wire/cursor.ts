import { invalid, type MintageError } from '@mintage/protocol';
import { z } from 'zod';
import { jsonText } from '../../jsonText.ts';

/** Where a page of a list ends that is in the order of time: its last row, by time and, of rows of one time, by id. */
export interface After {
  time: Date;
  id: string;
}

/** Milliseconds of a time that a page begins after. */
export const CursorMs = z.int().min(0).max(8.64e15);

const Parts = z.tuple([CursorMs, z.string().max(64)]);

/**
 * @param isId - Whether a text has the form of the list's ids: anybody can write a cursor.
 * @throws INVALID_PARAMETERS when the text is not of a page's `next_cursor`.
 */
export const readCursor = (cursor: string | undefined, isId: (id: string) => boolean): After | null => {
  const parts = readParts(cursor, Parts);
  if (parts === null) return null;
  const [ms, id] = parts;
  if (!isId(id)) throw noCursor();
  return { time: new Date(ms), id };
};

/**
 * What a cursor of any list is made of; null: there is none.
 *
 * @throws INVALID_PARAMETERS when the text is not of a page's `next_cursor`.
 */
export const readParts = <T extends readonly unknown[]>(cursor: string | undefined, parts: z.ZodType<T>): T | null => {
  if (cursor === undefined) return null;
  const { data } = jsonText.pipe(parts).safeParse(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (data === undefined) throw noCursor();
  return data;
};

export const writeParts = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

const noCursor = (): MintageError => invalid('cursor', 'must be next_cursor of the page before');

/**
 * A page and what says where the next begins.
 *
 * @param rows - One more than `limit` when there are more.
 */
export const cursorPage = <Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => After) => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  const pagination = {
    limit,
    total_returned: page.length,
    has_more: hasMore,
    next_cursor: hasMore ? cursorOf(placeOf(last)) : null,
  };
  return { page, pagination };
};

const cursorOf = ({ time, id }: After): string => writeParts([time.getTime(), id]);
