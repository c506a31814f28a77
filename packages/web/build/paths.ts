/** Every page of the app: its name, which is the name of its file in `src/routes`, and its path. `:name` takes one part. */
export const pagePaths = {
  home: '/',
  token: '/token/:token',
  tx: '/tx/:chain/:hash',
  leaderboard: '/leaderboard',
  join: '/join/:code',
  solvency: '/solvency',
  create: '/create',
  portfolio: '/portfolio',
  rewards: '/rewards',
  account: '/account',
} as const;

export type PageName = keyof typeof pagePaths;
