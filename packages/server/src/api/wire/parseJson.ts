import { invalid, MintageError } from '@mintage/protocol';

/**
 * Parses a request body strictly: an exponent, more digits than a double holds, a repeated key or `__proto__` is an
 * error instead of being silently changed (threats R1, R2). Parsing stops at the first error, and the amount of content
 * is bounded, so that the work is linear in a bounded length (R3).
 */

export const maxDepth = 32;
/**
 * Most values in one body, many times what the largest real one has: strings, numbers, true, false, null, lists and
 * objects.
 */
export const mostValues = 4_096;
/** Most keys in one body. */
export const mostKeys = 1_024;
/** Longest text that is not a data URI, characters. Handlers read texts a few times over. */
export const longestText = 256 * 1024;

/** Said of JSON that is well formed and no object. */
export const notOneObject = 'The body must be one JSON object.';

/**
 * @returns The body, an object; keys whose value is null are left out, because null means absent.
 * @throws MintageError INVALID_JSON for anything that is not one well-formed object; INVALID_PARAMETERS for a number that
 * would not be kept as it was sent; PAYLOAD_TOO_LARGE.
 */
export const parseJson = (text: string): Record<string, unknown> => {
  const { nulls } = inspect(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MintageError('INVALID_JSON', 'The body is not valid JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MintageError('INVALID_JSON', notOneObject);
  }
  return (nulls ? withoutNulls(value) : value) as Record<string, unknown>;
};

/** Longest number in characters; any number that a double represents exactly is shorter. */
const longestNumber = 64;

/** At most 15 significant digits, no exponent, no longer than what prints without an exponent: the double keeps it. */
const isInexact = (source: string): boolean => {
  if (/[eE]/.test(source)) return true;
  if (source.length <= 15) return false;
  if (source.length > longestNumber) return true;
  const [whole = '', fraction = ''] = source.replace('-', '').split('.');
  const significant = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  return significant.length > 15 || whole.length > 21 || fraction.length > 30;
};

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
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
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;

/** An object or list that is not closed yet. */
interface Open {
  /** Undefined for a list. */
  keys: KeySet | undefined;
  /** Key or index that is being read. */
  key: string;
  index: number;
}

/**
 * One pass over the text before it is parsed: bounds depth, values and keys, refuses repeated keys and inexact numbers, and
 * tells whether there are nulls. It ends where it finds the first of them. It does not check the syntax; on broken text it
 * stops early and JSON.parse says what is wrong.
 */
const inspect = (text: string): { nulls: boolean } => {
  const open: Open[] = [];
  let expectsKey = false;
  let nulls = false;
  let values = 0;
  let keys = 0;

  const countValue = (): void => {
    values += 1;
    if (values > mostValues) throw new MintageError('INVALID_JSON', `The body has more than ${mostValues} values.`);
  };

  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      if (end === -1) break;
      if (expectsKey) {
        keys += 1;
        if (keys > mostKeys) throw new MintageError('INVALID_JSON', `The body has more than ${mostKeys} keys.`);
        const object = open.at(-1);
        if (object?.keys) object.key = addKey(object.keys, text.slice(at + 1, end));
        expectsKey = false;
      } else {
        countValue();
        if (end - at > longestText) requireDataUri(text, at);
      }
      at = end;
    } else if (char === COMMA) {
      const level = open.at(-1);
      expectsKey = level?.keys !== undefined;
      if (level) level.index += 1;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      countValue();
      expectsKey = char === OPEN_BRACE;
      open.push({ keys: expectsKey ? { few: [], many: undefined } : undefined, key: '', index: 0 });
      if (open.length > maxDepth) {
        throw new MintageError('INVALID_JSON', `The body is nested deeper than ${maxDepth} levels.`);
      }
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      open.pop();
      expectsKey = false;
    } else if (char === MINUS || (char >= ZERO && char <= NINE)) {
      countValue();
      const end = endOfNumber(text, at);
      if (open.length > 0 && isInexact(text.slice(at, end))) throw inexactNumber(open);
      at = end - 1;
    } else if (char === SMALL_N || char === SMALL_T || char === SMALL_F) {
      countValue();
      nulls ||= char === SMALL_N;
      while (isSmallLetter(text.charCodeAt(at + 1))) at += 1;
    }
  }
  return { nulls };
};

const isSmallLetter = (char: number): boolean => char >= 0x61 && char <= 0x7a;

const inexactNumber = (open: readonly Open[]): MintageError => {
  const path = open.map(({ keys, key, index }) => (keys ? key : String(index))).join('.');
  return invalid(
    path,
    'must be a number without an exponent and with at most 15 significant digits; where base units are taken, send them as text',
  );
};

/** @param start - Index of the string's opening quote. */
const requireDataUri = (text: string, start: number): void => {
  if (text.startsWith('data:', start + 1)) return;
  throw new MintageError(
    'PAYLOAD_TOO_LARGE',
    `A text of the body is longer than ${longestText} characters, which only a data URI may be`,
  );
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

/** Index after the number that starts at `start`; for a number that is too long, any index within it. */
const endOfNumber = (text: string, start: number): number => {
  const most = Math.min(text.length, start + longestNumber + 1);
  let end = start + 1;
  while (end < most && isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
};

const isOfNumber = (char: number): boolean =>
  (char >= ZERO && char <= NINE) ||
  char === POINT ||
  char === MINUS ||
  char === PLUS ||
  char === SMALL_E ||
  char === CAPITAL_E;

/** Keys of one object: a few are searched linearly, many through a set. */
interface KeySet {
  few: string[];
  many: Set<string> | undefined;
}

/** @returns The key, unescaped. */
const addKey = (keys: KeySet, source: string): string => {
  const key = source.includes('\\') ? unescaped(source) : source;
  if (key === '__proto__') throw new MintageError('INVALID_JSON', 'The key "__proto__" is not accepted.');
  if (keys.many ? keys.many.has(key) : keys.few.includes(key)) {
    throw new MintageError('INVALID_JSON', `The key "${key.slice(0, 64)}" appears twice in one object.`);
  }
  if (keys.many) keys.many.add(key);
  else if (keys.few.push(key) > 16) keys.many = new Set(keys.few);
  return key;
};

const unescaped = (source: string): string => {
  try {
    return JSON.parse(`"${source}"`) as string;
  } catch (cause) {
    throw new MintageError('INVALID_JSON', 'The body is not valid JSON.', { cause });
  }
};
