/** A cluster's integers are bare JSON numbers of up to 64 bits: neither side may read or write them as floats. */

/** Bigints as bare numbers. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? exact.rawJSON(String(part)) : part));

/** Integers beyond 2^53 as bigints, all others as numbers. @throws SyntaxError */
export const readJson = (text: string): unknown =>
  exact.parse(text, (_, part, { source }) =>
    typeof part === 'number' && !Number.isSafeInteger(part) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source as string)
      : part,
  );

/** What the language has, and its types do not know yet. */
const exact = JSON as unknown as {
  rawJSON(text: string): object;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};
