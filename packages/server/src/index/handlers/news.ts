import { activityNews, balancesNews, feesNews } from '../outbox/news.ts';
import type { News } from '../outbox/outbox.ts';
import type { Page } from '../page/page.ts';
import { events } from './events.ts';

/**
 * What the blocks of a page have to tell, topic by topic in the order of the chain.
 *
 * @param from - First block to tell of; in the page, because rows of tokens also hold what earlier pages told.
 */
export const newsOf = (page: Page, from: number): News[] => {
  const activities = events.flatMap((kind) => kind.activities?.(page, from) ?? []);
  return [...activityNews(page, activities), ...balancesNews(page, from), ...feesNews(page, from)];
};
