import { MintageError } from '@mintage/protocol';

/**
 * Reads a request body so that nothing about it is guessed: an exponent, more digits than a double keeps, a key sent
 * twice or `__proto__` never become some value silently (threats R1, R2).
 */

export const maxDepth = 32;

/** A number whose text a JavaScript number would not keep. No schema takes it; the error quotes the text. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * @returns The body, an object; keys whose value is null are left out, because null means absent.
 * @throws MintageError INVALID_JSON for anything that is not one well-formed object.
 */
export const parseJson = (text: string): Record<string, unknown> => {
  const found = inspect(text);
  let value: unknown;
  try {
    value = found.inexact ? JSON.parse(text, keepNumberText as never) : JSON.parse(text);
  } catch (cause) {
    throw new MintageError('INVALID_JSON', 'The body is not valid JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof InexactNumber) {
    throw new MintageError('INVALID_JSON', 'The body must be one JSON object.');
  }
  return (found.nulls ? withoutNulls(value) : value) as Record<string, unknown>;
};

/** Reviver of JSON.parse with access to the source text. */
const keepNumberText = (_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === 'number' && context.source !== undefined && isInexact(context.source)
    ? new InexactNumber(context.source)
    : value;

/** At most 15 significant digits, no exponent, no longer than what prints without an exponent: the double keeps it. */
const isInexact = (source: string): boolean => {
  if (/[eE]/.test(source)) return true;
  if (source.length <= 15) return false;
  const [whole = '', fraction = ''] = source.replace('-', '').split('.');
  const significant = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  return significant.length > 15 || whole.length > 21 || fraction.length > 30;
};

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null || value instanceof InexactNumber) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (item !== null) result[key] = withoutNulls(item);
  return result;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SMALL_E = 0x65;
const SMALL_N = 0x6e;

/**
 * One pass over the text before it is parsed: bounds the depth, refuses repeated keys, and tells whether there are nulls
 * or inexact numbers. It does not check the syntax; on broken text it stops early and JSON.parse says what is wrong.
 */
const inspect = (text: string): { inexact: boolean; nulls: boolean } => {
  /** Keys of each open object, undefined for an open array. */
  const open: (KeySet | undefined)[] = [];
  let expectsKey = false;
  let inexact = false;
  let nulls = false;

  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      if (end === -1) break;
      if (expectsKey) {
        const keys = open.at(-1);
        if (keys) addKey(keys, text.slice(at + 1, end));
        expectsKey = false;
      }
      at = end;
    } else if (char === COMMA) {
      expectsKey = open.at(-1) !== undefined;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      expectsKey = char === OPEN_BRACE;
      open.push(expectsKey ? { few: [], many: undefined } : undefined);
      if (open.length > maxDepth) {
        throw new MintageError('INVALID_JSON', `The body is nested deeper than ${maxDepth} levels.`);
      }
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      open.pop();
      expectsKey = false;
    } else if (char === MINUS || (char >= ZERO && char <= NINE)) {
      const end = endOfNumber(text, at);
      inexact ||= isInexact(text.slice(at, end));
      at = end - 1;
    } else if (char === SMALL_N) {
      nulls = true;
    }
  }
  return { inexact, nulls };
};

/** Index of the closing quote of the string that opens at `start`, -1 when there is none. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
};

const endOfNumber = (text: string, start: number): number => {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
};

const isOfNumber = (char: number): boolean =>
  (char >= ZERO && char <= NINE) ||
  char === POINT ||
  char === MINUS ||
  char === PLUS ||
  char === SMALL_E ||
  char === CAPITAL_E;

/** Few keys are searched one by one, many through a set, so that neither is slow. */
interface KeySet {
  few: string[];
  many: Set<string> | undefined;
}

const addKey = (keys: KeySet, source: string): void => {
  const key = source.includes('\\') ? unescaped(source) : source;
  if (key === '__proto__') throw new MintageError('INVALID_JSON', 'The key "__proto__" is not accepted.');
  if (keys.many ? keys.many.has(key) : keys.few.includes(key)) {
    throw new MintageError('INVALID_JSON', `The key "${key.slice(0, 64)}" appears twice in one object.`);
  }
  if (keys.many) keys.many.add(key);
  else if (keys.few.push(key) > 16) keys.many = new Set(keys.few);
};

const unescaped = (source: string): string => {
  try {
    return JSON.parse(`"${source}"`) as string;
  } catch (cause) {
    throw new MintageError('INVALID_JSON', 'The body is not valid JSON.', { cause });
  }
};
