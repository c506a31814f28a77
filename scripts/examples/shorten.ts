import type { Example } from '@mintage/docs/examples';

/** How many entries of a list are shown. */
const shown = 2;

/** Fields whose value opens something, of which only the beginning is shown. */
const secrets = ['accessToken', 'refreshToken', 'key', 'secret'];

/** An answer as it is kept: secrets cut, long lists with their first entries and, beside them, how long they really are. */
export const shorten = (answer: unknown): Pick<Example, 'answer' | 'lengths'> => {
  const lengths: Record<string, number> = {};
  const cut = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      if (value.length > shown) lengths[path.replace(/^\./, '') || 'The list'] = value.length;
      return value.slice(0, shown).map((item) => cut(item, `${path}[]`));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        secrets.includes(key) && typeof item === 'string' ? `${item.slice(0, 16)}…` : cut(item, `${path}.${key}`),
      ]),
    );
  };
  const kept = cut(answer, '');
  return Object.keys(lengths).length === 0 ? { answer: kept } : { answer: kept, lengths };
};

/** The first lines of a text, and a line that says how many more there are. */
export const firstLines = (text: string, count = 24): string => {
  const lines = text.trimEnd().split('\n');
  return lines.length <= count
    ? lines.join('\n')
    : [...lines.slice(0, count), `… ${lines.length - count} more lines`].join('\n');
};
