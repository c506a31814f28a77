import type { PageModule } from '../lib/route.ts';

export interface Route {
  /** `:name` takes one part of the path. */
  path: string;
  /** Its file in this folder, as the manifest of the build names it. */
  file: string;
  load(): Promise<PageModule>;
  /** Framed by other sites: without bar and footer. */
  isEmbed?: boolean;
}

const route = (path: string, file: string, load: () => Promise<PageModule>, more: Partial<Route> = {}): Route => ({
  path,
  file: `src/routes/${file}.tsx`,
  load,
  ...more,
});

/** Every page of the app, by its path. The server serves exactly these. */
export const routes: readonly Route[] = [
  route('/', 'home', () => import('./home.tsx')),
  route('/token/:token', 'token', () => import('./token.tsx')),
];

export interface Matched {
  route: Route;
  params: Record<string, string>;
}

/** The route of a path, and what its parts say; null: there is none. */
export const matchRoute = (path: string): Matched | null => {
  const parts = partsOf(path);
  for (const one of routes) {
    const wanted = partsOf(one.path);
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, at) => part.startsWith(':') || part === parts[at])) continue;
    const params: Record<string, string> = {};
    for (const [at, part] of wanted.entries())
      if (part.startsWith(':')) params[part.slice(1)] = decoded(parts[at] ?? '');
    return { route: one, params };
  }
  return null;
};

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // No valid escape: no token has this name.
  }
};
