import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { oneOf } from './oneOf.ts';

/** A token's rolling windows by length in seconds; a window that is not computed yet is missing. */
export type Windows = ReadonlyMap<number, Row<'token_window'>>;

/**
 * The windows of these tokens. While a chain catches up, its windows are of an older block than its prices; until they
 * are updated they count as unknown.
 */
export const readWindows = async (
  db: Db,
  tokens: readonly { chain_id: number; address: string }[],
): Promise<(token: { chain_id: number; address: string }) => Windows> => {
  const rows = await db
    .selectFrom('token_window')
    .innerJoin('chain', 'chain.chain_id', 'token_window.chain_id')
    .selectAll('token_window')
    .whereRef('chain.rolled_block', '=', 'chain.indexed')
    .where(oneOf('token_window.chain_id', [...new Set(tokens.map((token) => token.chain_id))]))
    .where(oneOf('token_window.token', [...new Set(tokens.map((token) => token.address))]))
    .execute();
  const byToken = Map.groupBy(rows, (row) => `${row.chain_id} ${row.token}`);
  return ({ chain_id, address }) =>
    new Map(byToken.get(`${chain_id} ${address}`)?.map((row) => [row.seconds, row] as const));
};
