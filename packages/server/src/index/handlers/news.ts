import type { News } from '../../db/outbox.ts';
import { activityNews, balancesNews, feesNews } from '../outbox/news.ts';
import type { Page } from '../page/page.ts';
import { events } from './events.ts';

/**
 * Stream events of the blocks of a page, topic by topic in the order of the chain.
 *
 * @param from - First block whose events are published; needed because token rows also hold events of earlier pages.
 */
export const newsOf = (page: Page, from: number): News[] => {
  const activities = events.flatMap((kind) => kind.activities?.(page, from) ?? []);
  return [...activityNews(page, activities), ...balancesNews(page, from), ...feesNews(page, from)];
};
