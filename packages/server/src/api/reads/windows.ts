import { sql } from 'kysely';
import type { Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/serviceTables.ts';
import { isAmong, placeKey, type TokenPlace } from '../tokens/tokenPlace.ts';

/** Figures of a token's windows. */
export type WindowFigure = Exclude<keyof Row<'token_window'>, keyof TokenPlace>;

/** Some of them; undefined: not computed yet. */
export type Windows<Read extends WindowFigure> = Pick<Row<'token_window'>, Read> | undefined;

/**
 * The windows of these tokens. While a chain catches up, its windows are of an older block than its prices; until they
 * are updated they count as unknown.
 */
export const readWindows = async <Read extends WindowFigure>(
  db: Db,
  tokens: readonly TokenPlace[],
  figures: readonly Read[],
): Promise<(token: TokenPlace) => Windows<Read>> => {
  const shown = sql.join(['eid', 'token', ...figures].map((column) => sql.ref(`token_window.${column}`)));
  const rows = await prepared(
    db,
    sql<Pick<Row<'token_window'>, keyof TokenPlace | Read>>`
      select ${shown} from token_window join chain on chain.eid = token_window.eid
      where chain.rolled_block = chain.indexed and ${isAmong('token_window.eid', 'token_window.token', tokens)}`,
  );
  const byToken = new Map(rows.map((row) => [placeKey(row), row]));
  return (token) => byToken.get(placeKey(token));
};
