import type { Address } from '@mintage/protocol';
import type { ChainContext } from '../../src/index/chainContext.ts';
import type { ChainEvent } from '../../src/index/handlers/events.ts';
import { handleAll } from '../../src/index/handlers/handle.ts';
import { loadPage } from '../../src/index/handlers/loadPage.ts';
import type { Page } from '../../src/index/page/page.ts';
import { noRows } from '../../src/index/page/tableRows.ts';

/** What events make of empty tables, without a database. */
export const pageOf = async (
  chain: ChainContext,
  events: readonly ChainEvent[],
  { treasury = null }: { treasury?: Address | null } = {},
): Promise<Page> => {
  const page = await loadPage(chain, { pools: new Map(), treasury }, events, noRows(), 0, async () => []);
  handleAll(page, events);
  return page;
};
