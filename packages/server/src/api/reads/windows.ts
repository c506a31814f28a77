import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import { isAmong, placeKey, type TokenPlace } from '../tokens/tokenPlace.ts';

type Column = Exclude<keyof Row<'token_window'>, 'eid' | 'token' | 'seconds'>;

/** Columns of a token's rolling windows by length in seconds; a window that is not computed yet is missing. */
export type Windows<Read extends Column> = ReadonlyMap<number, Pick<Row<'token_window'>, Read>>;

/**
 * The windows of these tokens. While a chain catches up, its windows are of an older block than its prices; until they
 * are updated they count as unknown.
 */
export const readWindows = async <Read extends Column>(
  db: Db,
  tokens: readonly TokenPlace[],
  columns: readonly Read[],
): Promise<(token: TokenPlace) => Windows<Read>> => {
  const shown = sql.join(['eid', 'token', 'seconds', ...columns].map((column) => sql.ref(`token_window.${column}`)));
  const rows = await prepared(
    db,
    sql<Pick<Row<'token_window'>, 'eid' | 'token' | 'seconds' | Read>>`
      select ${shown} from token_window join chain on chain.eid = token_window.eid
      where chain.rolled_block = chain.indexed and ${isAmong('token_window.eid', 'token_window.token', tokens)}`,
  );
  const byToken = Map.groupBy(rows, placeKey);
  return (token) => new Map(byToken.get(placeKey(token))?.map((row) => [row.seconds, row]));
};
