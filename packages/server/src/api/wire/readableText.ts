import { invalid } from '@mintage/protocol';

/**
 * Property names that the language itself uses on objects, lists and promises. A parsed value with such a property of
 * its own breaks code that reads its length or converts it to text.
 */
const pretended: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'length',
  'then',
  'toJSON',
]);

/**
 * Refuses text that cannot be encoded in UTF-8 or stored in PostgreSQL: unpaired surrogates and U+0000. All input
 * passes here before anything else reads it, so operations need not check. Which other control characters a text may
 * hold is up to its schema: a name is one line, a message has line ends. Also refuses objects with the property names
 * in `pretended`.
 *
 * @param value - As it was parsed: texts, lists and objects of them at any depth, or a form.
 * @param path - Path of the value, for the error.
 * @throws MintageError INVALID_PARAMETERS naming the first such field.
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

/** Whether text can be encoded in UTF-8 and stored in PostgreSQL. */
export const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
