import { type PageName, pagePaths } from '../../build/paths.ts';
import { pathParams } from '../lib/pathParams.ts';
import type { PageModule } from '../lib/route.ts';

export interface Route {
  /** `:name` takes one part of the path. */
  path: string;
  /** Its file, as the manifest of the build names it. */
  file: string;
  load(): Promise<PageModule>;
}

const loaders: Readonly<Record<PageName, () => Promise<PageModule>>> = {
  home: () => import('./home.tsx'),
  token: () => import('./token.tsx'),
  feed: () => import('./feed.tsx'),
  post: () => import('./post.tsx'),
  user: () => import('./user.tsx'),
  tx: () => import('./tx.tsx'),
  leaderboard: () => import('./leaderboard.tsx'),
  join: () => import('./join.tsx'),
  solvency: () => import('./solvency.tsx'),
  create: () => import('./create.tsx'),
  portfolio: () => import('./portfolio.tsx'),
  rewards: () => import('./rewards.tsx'),
  account: () => import('./account.tsx'),
  notifications: () => import('./notifications.tsx'),
};

/** Every page of the app. */
export const routes: readonly Route[] = Object.entries(loaders).map(([name, load]) => {
  return { path: pagePaths[name as PageName], file: `src/routes/${name}.tsx`, load };
});

export interface Matched {
  route: Route;
  params: Record<string, string>;
}

/** The route of a path, and what its parts say; null: there is none. */
export const matchRoute = (path: string): Matched | null => {
  for (const route of routes) {
    const params = pathParams(route.path, path);
    if (params !== null) return { route, params };
  }
  return null;
};
