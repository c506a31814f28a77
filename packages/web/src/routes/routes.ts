import { type PageName, pagePaths } from '../../build/paths.ts';
import type { PageModule } from '../lib/route.ts';

export interface Route {
  /** `:name` takes one part of the path. */
  path: string;
  /** Its file, as the manifest of the build names it. */
  file: string;
  load(): Promise<PageModule>;
  /** Framed by other sites: without bar and footer. */
  isEmbed: boolean;
}

const loaders: Readonly<Record<PageName, () => Promise<PageModule>>> = {
  home: () => import('./home.tsx'),
  token: () => import('./token.tsx'),
  tx: () => import('./tx.tsx'),
  leaderboard: () => import('./leaderboard.tsx'),
  join: () => import('./join.tsx'),
  solvency: () => import('./solvency.tsx'),
  create: () => import('./create.tsx'),
  portfolio: () => import('./portfolio.tsx'),
  rewards: () => import('./rewards.tsx'),
  account: () => import('./account.tsx'),
};

/** Every page of the app. */
export const routes: readonly Route[] = Object.entries(loaders).map(([name, load]) => {
  const path = pagePaths[name as PageName];
  return { path, file: `src/routes/${name}.tsx`, load, isEmbed: path.startsWith('/embed/') };
});

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
