import type { Completed } from '../events/events.ts';
import type { Page } from '../store/page.ts';

export const handleCompleted = (page: Page, { at, token }: Completed): void => {
  page.token(at, token).completed = true;
};
