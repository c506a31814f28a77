/** A value for an error message: without the password, path and query of addresses, and not longer than a line. */
export const withoutSecrets = (value: string): string => {
  const shown = value
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/i, '$1***@')
    .replace(/\?.*$/s, '?***')
    .replace(/[^\x20-\x7e]/g, '?');
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
};

/**
 * Variables that look like ours but are not: one letter off from one of ours that is not set, or with a prefix that
 * only ours have.
 *
 * @returns One sentence each.
 */
export const misspeltNames = (
  set: Readonly<Record<string, string>>,
  known: readonly string[],
  { prefixes }: { prefixes: readonly string[] },
): string[] =>
  Object.keys(set)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => set[one] === undefined && isOneSlipFrom(name, one));
      if (meant !== undefined) return [`${name} is not a variable of ours: did you mean ${meant}?`];
      const prefix = prefixes.find((one) => name.startsWith(one));
      if (prefix === undefined) return [];
      const ours = known.filter((one) => one.startsWith(prefix));
      return [`${name} is not a variable of ours: with ${prefix} begin ${ours.join(', ')}.`];
    });

/**
 * One letter too many, too few or swapped; a wrong letter counts only in names long enough not to be somebody else's.
 */
const isOneSlipFrom = (name: string, known: string): boolean => {
  const start = [...known].findIndex((letter, i) => name[i] !== letter);
  const at = start === -1 ? known.length : start;
  const [left, right] = [name.slice(at), known.slice(at)];
  if (left.slice(1) === right || left === right.slice(1)) return true;
  if (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0]) return true;
  return known.length >= 8 && left.slice(1) === right.slice(1);
};

/** `base-sepolia` → `BASE_SEPOLIA`, the tail of its environment variable. */
export const envName = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');
