import { z } from 'zod';

/** What a JSON text says. */
export const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.issues.push({ code: 'custom', message: 'is not JSON', input: text });
    return z.NEVER;
  }
});

/** JSON text of a value in which the order of keys says nothing: equal values have one text (RFC 8785). */
export const jsonSorted = (value: unknown): string => JSON.stringify(value, sortKeys);

const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
