import type { Eid } from '@mintage/protocol';
import type { Row } from '../../db/chainTables.ts';
import type { Db } from '../../db/serviceTables.ts';
import { isAmong } from '../tokens/tokenPlace.ts';

/** A token's rolling windows by length in seconds; a window that is not computed yet is missing. */
export type Windows = ReadonlyMap<number, Row<'token_window'>>;

/**
 * The windows of these tokens. While a chain catches up, its windows are of an older block than its prices; until they
 * are updated they count as unknown.
 */
export const readWindows = async (
  db: Db,
  tokens: readonly { eid: Eid; address: string }[],
): Promise<(token: { eid: Eid; address: string }) => Windows> => {
  const rows = await db
    .selectFrom('token_window')
    .innerJoin('chain', 'chain.eid', 'token_window.eid')
    .selectAll('token_window')
    .whereRef('chain.rolled_block', '=', 'chain.indexed')
    .where(
      isAmong(
        'token_window.eid',
        'token_window.token',
        tokens.map(({ eid, address }) => ({ eid, token: address })),
      ),
    )
    .execute();
  const byToken = Map.groupBy(rows, (row) => `${row.eid} ${row.token}`);
  return ({ eid, address }) => new Map(byToken.get(`${eid} ${address}`)?.map((row) => [row.seconds, row] as const));
};
