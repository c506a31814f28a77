import { embedPaths, pagePaths } from '@mintage/web/paths';
import type { Shown } from './stage.ts';
import { account, signIn } from './states/account.ts';
import { create } from './states/create.ts';
import { price, trade } from './states/embeds.ts';
import { home } from './states/home.ts';
import { oauth } from './states/oauth.ts';
import { notifications, portfolio, rewards } from './states/own.ts';
import { feed, post, user } from './states/people.ts';
import { join, leaderboard, notFound, solvency } from './states/read.ts';
import { token } from './states/token.ts';
import { tx } from './states/tx.ts';

/** All pages of the app by their names, and what else is worth seeing. */
export const shownPages: Readonly<Record<string, Shown>> = {
  home,
  token,
  feed,
  post,
  user,
  create,
  portfolio,
  rewards,
  leaderboard,
  join,
  signIn,
  account,
  notifications,
  solvency,
  tx,
  notFound,
  oauth,
  trade,
  price,
};

/** Pages of the app that are not on the sheet. */
export const missingOn = (pages: typeof shownPages): string[] =>
  [...Object.keys(pagePaths), ...Object.keys(embedPaths)].filter((name) => pages[name] === undefined);
