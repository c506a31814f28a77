import type { ChangedTable, Row } from '../../db/chainTables.ts';
import { needTreasury } from '../aggregates/fees.ts';
import type { ChainContext } from '../chainContext.ts';
import { Page } from '../page/page.ts';
import type { Key, Rows, TableRows } from '../page/tableRows.ts';
import type { Position } from '../position.ts';
import type { ChainEvent } from './events.ts';
import { kindOf } from './handle.ts';

/** Selects the chain's rows with these keys from the database. */
export type Select = <Name extends ChangedTable>(table: Name, keys: readonly Key[]) => Promise<Row<Name>[]>;

/**
 * Builds the page for these events, with every row that they may touch loaded.
 *
 * @param rows - Those of earlier pages, which are not selected again.
 * @param journalFrom - First block that may still be reorganised.
 */
export const loadPage = async (
  chain: ChainContext,
  position: Pick<Position, 'pools' | 'treasury'>,
  events: readonly ChainEvent[],
  rows: Rows,
  journalFrom: number,
  select: Select,
): Promise<Page> => {
  const page = new Page(chain, position, rows, journalFrom);
  const load = async <Name extends ChangedTable>(table: TableRows<Name>): Promise<void> => {
    const unknown = table.unknown();
    if (unknown.length > 0) table.loaded(await select(table.table, unknown));
  };
  const pools = new Map(position.pools);
  for (const event of events) {
    if (event.name === 'Graduated') pools.set(event.poolId, event.token);
    if (event.name === 'TokenCreated') page.creators.set(event.token, event.creator);
    if (event.name === 'SettingChanged' && event.setting === 'treasury') page.treasuries.add(event.value);
  }
  for (const event of events) {
    // Whose a token account was decides which balances are touched.
    if (event.name === 'Held') rows.token_account.need(event.account);
    const token = kindOf(event).tokenOf?.(event, pools) ?? ('token' in event ? event.token : undefined);
    if (token === undefined) continue;
    rows.token.need(token);
    rows.remote_token.need(token);
  }
  await Promise.all([load(rows.token), load(rows.remote_token), load(rows.token_account)]);
  if (page.treasury !== null) page.treasuries.add(page.treasury);
  needTreasury(page);
  for (const event of events) kindOf(event).needs?.(page, event);
  await Promise.all(Object.values(rows).map((table) => load(table)));
  return page;
};
