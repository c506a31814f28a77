import type { ChangedTable, Row } from '../../db/chainTables.ts';
import { needTreasury } from '../aggregates/fees.ts';
import type { ChainContext } from '../chainContext.ts';
import type { ChangedRows, Key } from '../page/changedRows.ts';
import type { KeptRows } from '../page/keptRows.ts';
import { Page } from '../page/page.ts';
import type { Position } from '../position.ts';
import type { ChainEvent } from './events.ts';
import { kindOf } from './handle.ts';

/** Selects the rows with these keys from the database. */
export type Select = <Name extends ChangedTable>(table: Name, keys: readonly Key[]) => Promise<Row<Name>[]>;

/**
 * Builds the page for these events, with every row that they may touch loaded.
 *
 * @param journalFrom - First block that may still be reorganised.
 * @param kept - Cached rows, which are not selected again; the page writes its changes into them.
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
      const row = kept.find(rows.table, key);
      if (row === undefined) unknown.push(key);
      else known.push(row);
    }
    const selected = await select(rows.table, unknown);
    rows.fill(known.concat(selected));
  };
  const pools = new Map(position.pools);
  for (const event of events) {
    if (event.name === 'Graduated') pools.set(event.poolId, event.token);
    if (event.name === 'TokenCreated') page.creators.set(event.token, event.creator);
    if (event.name === 'SettingChanged' && event.setting === 'treasury') page.treasuries.add(event.value);
  }
  for (const event of events) {
    const token = kindOf(event).tokenOf?.(event, pools) ?? ('token' in event ? event.token : undefined);
    if (token === undefined) continue;
    page.rows.token.need(chain.eid, token);
    page.rows.remote_token.need(chain.eid, token);
  }
  await load(page.rows.token);
  await load(page.rows.remote_token);
  if (page.treasury !== null) page.treasuries.add(page.treasury);
  needTreasury(page);
  for (const event of events) kindOf(event).needs?.(page, event);
  const { token: _, remote_token: __, ...others } = page.rows;
  for (const rows of Object.values(others)) await load(rows);
  return page;
};
