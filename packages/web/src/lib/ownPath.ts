const anywhere = 'http://own.invalid';

/** A path of ours, as browsers read it: they leave tabs and lines out, and walk dots. Null: it leads elsewhere, and is not followed. */
export const ownPath = (path: string | null): string | null => {
  if (path === null || !/^\/(?![/\\])/.test(path)) return null;
  const url = URL.parse(path, anywhere);
  if (url === null || url.origin !== anywhere || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
};
