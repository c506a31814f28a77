/** What the parts of a path say, where it has the form of a pattern like `/token/:token`; null: it has another. */
export const pathParams = (pattern: string, path: string): Record<string, string> | null => {
  const wanted = partsOf(pattern);
  const parts = partsOf(path);
  if (wanted.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const given = parts[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decoded(given);
    else if (part !== given) return null;
  }
  return params;
};

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // No valid escape: no token has this name.
  }
};
