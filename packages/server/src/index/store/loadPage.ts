import type { Row } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { ChainEvent } from '../events/events.ts';
import type { ChangedRows, ChangedTable, Key } from './changedRows.ts';
import type { KeptRows } from './keptRows.ts';
import { needRest, needTokens } from './needs.ts';
import { Page } from './page.ts';
import type { Position } from './position.ts';
import type { TableSpec } from './specs.ts';

/** Rows with these keys, as the database has them. */
export type Select = <Name extends ChangedTable>(spec: TableSpec<Name>, keys: readonly Key[]) => Promise<Row<Name>[]>;

/**
 * The page of these events, with every row that they may touch.
 *
 * @param journalFrom - First block that may still be reorganised.
 * @param kept - Rows that need not be selected; the page's changes are written into them.
 */
export const loadPage = async (
  chain: ChainContext,
  position: Pick<Position, 'pools' | 'treasury'>,
  events: readonly ChainEvent[],
  journalFrom: number,
  kept: KeptRows,
  select: Select,
): Promise<Page> => {
  const page = new Page(chain, position, journalFrom);
  const load = async <Name extends ChangedTable>(rows: ChangedRows<Name>): Promise<void> => {
    const unknown: Key[] = [];
    const known: Row<Name>[] = [];
    for (const key of rows.needed()) {
      const row = kept.find(rows.spec, key);
      if (row === undefined) unknown.push(key);
      else known.push(row);
    }
    const selected = await select(rows.spec, unknown);
    rows.fill(known.concat(selected));
  };
  const pools = new Map(position.pools);
  for (const event of events) if (event.name === 'Graduated') pools.set(event.poolId, event.token);
  needTokens(page, events, pools);
  await load(page.tokens);
  needRest(page, events);
  await load(page.balances);
  await load(page.feeBalances);
  await load(page.feeSums);
  await load(page.traders);
  await load(page.candles);
  await load(page.referrers);
  return page;
};
