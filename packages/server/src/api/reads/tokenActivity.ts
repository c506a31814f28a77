import { type Activity, graduationActivities, tradeActivity, transferActivity } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { activityChain } from './tokenEvents.ts';

/** Kinds of activity on one chain; transfers between chains come with the bridge. */
const kinds = [
  { type: 'trade', subtype: 'buy' },
  { type: 'trade', subtype: 'sell' },
  { type: 'transfer', subtype: 'local' },
  { type: 'lp', subtype: 'deposit' },
  { type: 'lifecycle', subtype: 'graduation' },
] as const satisfies { type: Activity['activity_type']; subtype: Activity['activity_subtype'] }[];
type Kind = (typeof kinds)[number];
export type ActivitySubtype = Kind['subtype'];

/** Filter words; a word that names no kind matches nothing. */
export interface ActivityFilter {
  /** Words of `activity_type`, as the next. */
  includeTypes?: readonly string[] | undefined;
  ignoreTypes?: readonly string[] | undefined;
  /** Words of `activity_subtype`, as the next. */
  includeSubtypes?: readonly string[] | undefined;
  ignoreSubtypes?: readonly string[] | undefined;
}

/** The kinds that pass the filter: an absent or empty include list includes everything, and the ignore list wins. */
export const wantedSubtypes = (filter: ActivityFilter): ReadonlySet<ActivitySubtype> => {
  const { includeTypes = [], ignoreTypes = [], includeSubtypes = [], ignoreSubtypes = [] } = filter;
  const wanted = kinds.filter(
    ({ type, subtype }) =>
      (includeTypes.length === 0 || includeTypes.includes(type)) &&
      (includeSubtypes.length === 0 || includeSubtypes.includes(subtype)) &&
      !ignoreTypes.includes(type) &&
      !ignoreSubtypes.includes(subtype),
  );
  return new Set(wanted.map(({ subtype }) => subtype));
};

interface Place {
  type: Kind['type'];
  block_number: number;
  log_index: number;
}

/**
 * One page, newest first. Selects the positions (block and log) first, for each kind along its own key and no further
 * than the end of the page; then loads the rows at these positions.
 */
export const readTokenActivity = async (
  db: Db,
  served: ChainContext,
  token: KnownToken,
  wanted: ReadonlySet<ActivitySubtype>,
  { limit, offset }: { limit: number; offset: number },
): Promise<Activity[]> => {
  const places = await readPlaces(db, token, wanted, limit, offset);
  const chain = activityChain(served);
  const [trades, transfers] = await Promise.all([
    db
      .selectFrom('trade')
      .selectAll()
      .where(isAt('trade', token, places))
      .execute(),
    db
      .selectFrom('transfer')
      .selectAll()
      .where(isAt('transfer', token, places))
      .execute(),
  ]);
  const records = new Map<string, Activity>();
  for (const row of trades) records.set(placeKey({ ...row, type: 'trade' }), tradeActivity(chain, token, row));
  for (const row of transfers) records.set(placeKey({ ...row, type: 'transfer' }), transferActivity(chain, token, row));
  if (token.graduation !== null && token.graduated_at !== null) {
    for (const record of graduationActivities(chain, token, token.graduation, token.graduated_at)) {
      const { activity_type: type, evt_block_number: block_number, evt_index: log_index } = record;
      records.set(placeKey({ type, block_number, log_index }), record);
    }
  }
  // A reorg between the queries may have removed a row.
  return places.flatMap((place) => records.get(placeKey(place)) ?? []);
};

const placeKey = ({ type, block_number, log_index }: Place): string => `${type} ${block_number} ${log_index}`;

/** The deposit and the graduation are one log: the graduation is the later of the two. */
const readPlaces = async (
  db: Db,
  token: KnownToken,
  wanted: ReadonlySet<ActivitySubtype>,
  limit: number,
  offset: number,
): Promise<Place[]> => {
  const newest = (table: 'trade' | 'transfer', condition: RawBuilder<unknown>) =>
    sql`(select ${sql.lit(table)} as type, block_number, log_index, 0 as part from ${sql.table(table)}
      where eid = ${token.eid} and token = ${token.address} and ${condition}
      order by block_number desc, log_index desc limit ${limit + offset})`;
  const graduation = (type: Kind['type'], part: number) =>
    token.graduation === null
      ? []
      : [
          sql`(select ${sql.lit(type)}, ${token.graduation.blockNumber}::bigint, ${token.graduation.logIndex}::integer,
            ${sql.lit(part)})`,
        ];
  const sides = (['buy', 'sell'] as const).filter((side) => wanted.has(side));
  const sources = [
    ...(sides.length === 2 ? [newest('trade', sql`true`)] : sides.map((side) => newest('trade', sql`side = ${side}`))),
    ...(wanted.has('local') ? [newest('transfer', sql`not is_leg`)] : []),
    ...(wanted.has('deposit') ? graduation('lp', 1) : []),
    ...(wanted.has('graduation') ? graduation('lifecycle', 2) : []),
  ];
  if (sources.length === 0) return [];
  const { rows } = await sql<Place>`select type, block_number, log_index
    from (${sql.join(sources, sql` union all `)}) as place (type, block_number, log_index, part)
    order by block_number desc, log_index desc, part desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
};

/** SQL condition for rows of `table` of this token at these positions. */
const isAt = (table: 'trade' | 'transfer', token: KnownToken, places: readonly Place[]) => {
  const here = places.filter((place) => place.type === table);
  const blocks = here.map((place) => place.block_number);
  const indexes = here.map((place) => place.log_index);
  return sql<boolean>`eid = ${token.eid} and token = ${token.address}
    and (block_number, log_index) in (select * from unnest(${blocks}::bigint[], ${indexes}::integer[]))`;
};
