/** What a provider of any family answers in JSON, checked: a list, an object. */

/** The provider's answer is malformed or contradicts itself. */
export class NonsenseError extends Error {
  constructor(what: string) {
    super(`the provider answers nonsense: ${what}`);
    this.name = 'NonsenseError';
  }
}

export const arrayOf = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new NonsenseError('no list');
  return value;
};

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields => {
  if (typeof value !== 'object' || value === null) throw new NonsenseError('no object');
  return value as Fields;
};

/** For what a provider may not know: it answers null then. */
export const orNull =
  <Result>(parse: (value: unknown) => Result) =>
  (value: unknown): Result | null =>
    value === null ? null : parse(value);
