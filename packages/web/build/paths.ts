/** Every page of the app: its name, which is the name of its file in `src/routes`, and its path. `:name` takes one part. */
export const pagePaths = {
  home: '/',
  token: '/token/:token',
  feed: '/feed',
  post: '/post/:post',
  user: '/user/:user',
  tx: '/tx/:chain/:hash',
  leaderboard: '/leaderboard',
  join: '/join/:code',
  solvency: '/solvency',
  create: '/create',
  portfolio: '/portfolio',
  rewards: '/rewards',
  account: '/account',
  notifications: '/notifications',
} as const;

export type PageName = keyof typeof pagePaths;

/** What other sites may frame, and nothing else. */
export const embedPaths = {
  trade: '/embed/trade/:token',
  price: '/embed/price/:token',
} as const;

export type EmbedKind = keyof typeof embedPaths;
