import { invalid } from '@mintage/protocol';

/**
 * Names that every object, list or promise of the language has: a value with one of its own pretends to be what it is not, and
 * whoever asks for its length, or shows it as text, falls over it.
 */
const pretended: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'length',
  'then',
  'toJSON',
]);

/**
 * Refuses text that has no spelling in UTF-8 or no place in PostgreSQL: halves of surrogate pairs, and U+0000. Everything that
 * a stranger sends passes here before anything else looks at it, so that no operation has to think of it. Which other control
 * characters a text may hold is a matter of its schema: a name is one line, a message has line ends. Also refuses objects that
 * pretend to be another thing (`pretended`).
 *
 * @param value - As it was parsed: texts, lists and objects of them at any depth, or a form.
 * @param path - Of the value, for the answer.
 * @throws MintageError INVALID_PARAMETERS naming the first of these.
 */
export const requireReadable = (value: unknown, path = ''): void => {
  if (typeof value === 'string') {
    if (!isReadable(value)) throw invalid(path, 'must not hold U+0000 or half of a surrogate pair');
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) requireReadable(item, `${path}${path && '.'}${at}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of value instanceof URLSearchParams ? value : Object.entries(value)) {
      if (!isReadable(key)) throw invalid(path, 'must not have a key with U+0000 or half of a surrogate pair');
      if (pretended.has(key)) throw invalid(path, `must not have a key ${key}`);
      requireReadable(item, path === '' ? key : `${path}.${key}`);
    }
  }
};

/** Whether text has a spelling in UTF-8 and a place in PostgreSQL. */
export const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
