import { z } from 'zod';
import { optional } from './scalars.ts';

/**
 * A plain list of chain slugs: one that is unknown, or not of a chain that is served, matches nothing and is named in `warnings`;
 * absent or empty means every chain.
 */
export const chainFilter = optional(z.array(z.string().max(64)).max(64)).meta({
  description:
    'Only these chain slugs; one that is not known here matches nothing and is named in `warnings`. Absent or empty means all chains.',
});

/** Whole number with a default. */
const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  z
    .number()
    .int('must be a whole number')
    .min(minimum, `must be at least ${minimum}`)
    .max(maximum, `must be at most ${maximum}`)
    .default(fallback);

export const limitUpTo = (maximum: number, fallback: number) =>
  wholeNumber(1, maximum, fallback).meta({ description: `1 to ${maximum}; absent means ${fallback}.` });

/** The bound keeps a page's cost bounded (R7): deeper pages are reached by a narrower filter. */
export const offsetUpTo = (maximum: number) =>
  wholeNumber(0, maximum, 0).meta({ description: `0 to ${maximum}; absent means 0.` });

/** Of a list whose length is not counted. */
export const Page = z
  .object({
    limit: z.int().positive().meta({ description: 'As asked.' }),
    offset: z.int().nonnegative().meta({ description: 'As asked.' }),
    total_returned: z.int().nonnegative().meta({ description: 'Rows of this page.' }),
    has_more: z.boolean().meta({ description: 'Whether rows follow.' }),
  })
  .meta({ id: 'Page' });

/** Of a list whose length is known. */
export const TotalPage = z
  .object({
    limit: z.int().positive().meta({ description: 'As asked.' }),
    offset: z.int().nonnegative().meta({ description: 'As asked.' }),
    total: z.int().nonnegative().meta({ description: 'Rows on all pages.' }),
    has_more: z.boolean().meta({ description: 'Whether rows follow.' }),
  })
  .meta({ id: 'TotalPage' });

/** Where the next page of a list begins that is in the order of time: opaque to whoever got it. */
export const Cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}$/, 'must be next_cursor of the page before')
  .meta({ description: '`next_cursor` of the page before; absent: the first page.' });

/** Of a list in the order of time: a row is neither shown twice nor left out when others come meanwhile. */
export const CursorPage = z
  .object({
    limit: z.int().positive().meta({ description: 'As asked.' }),
    total_returned: z.int().nonnegative().meta({ description: 'Rows of this page.' }),
    has_more: z.boolean().meta({ description: 'Whether rows follow.' }),
    next_cursor: z.string().nullable().meta({ description: '`cursor` of the next page; null: this is the last.' }),
  })
  .meta({ id: 'CursorPage' });

/** Of a list that has `total` rows. */
export const totalPage = ({ limit, offset }: { limit: number; offset: number }, total: number) => ({
  limit,
  offset,
  total,
  has_more: offset + limit < total,
});
