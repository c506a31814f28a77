import {
  type Activity,
  bridgeActivity,
  type Eid,
  graduationActivities,
  tradeActivity,
  transferActivity,
} from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import { monthOf } from '../../db/months.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Reading } from '../tokens/reading.ts';
import { livingOn } from '../tokens/registrations.ts';
import { servedChains } from '../tokens/servedChains.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { eachPart, newestRows, type Part } from './newestRows.ts';
import { activityChain, type Paging } from './tokenEvents.ts';

/** Kinds of activity. `type` and `subtype` are words of the wire, `source` is where its rows are. */
const kinds = [
  { type: 'trade', subtype: 'buy', source: 'trade' },
  { type: 'trade', subtype: 'sell', source: 'trade' },
  { type: 'transfer', subtype: 'local', source: 'transfer' },
  { type: 'transfer', subtype: 'cross_chain_sent', source: 'bridge_sent' },
  { type: 'transfer', subtype: 'cross_chain_received', source: 'bridge_received' },
  { type: 'lp', subtype: 'deposit', source: 'lp' },
  { type: 'lifecycle', subtype: 'graduation', source: 'lifecycle' },
] as const satisfies {
  type: Activity['activity_type'];
  subtype: Activity['activity_subtype'];
  source: string;
}[];
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
  eid: Eid;
  source: Kind['source'];
  time: Date;
  block_number: number;
  log_index: number;
}

/** One activity with the row that it was read from; the graduation's two have none. */
export type ActivityRow =
  | { source: 'trade'; row: Row<'trade'> }
  | { source: 'transfer'; row: Row<'transfer'> }
  | { source: 'bridge_sent'; row: Row<'bridge_sent'> }
  | { source: 'bridge_received'; row: Row<'bridge_received'> }
  | { source: 'lp' | 'lifecycle'; row: null };

/** One page of a token's activity, newest first, over all chains that it lives on. */
export const readTokenActivity = async (
  context: Reading,
  token: KnownToken,
  wanted: ReadonlySet<ActivitySubtype>,
  page: Paging,
): Promise<Activity[]> => {
  const found = await readActivityRows(context, token, wanted, page);
  return found.map(({ served, ...one }) => activityOf(served, token, one));
};

const activityOf = (served: ChainContext, token: KnownToken, { source, row }: ActivityRow): Activity => {
  const chain = activityChain(served);
  switch (source) {
    case 'trade':
      return tradeActivity(chain, token, row);
    case 'transfer':
      return transferActivity(chain, token, row);
    case 'bridge_sent':
    case 'bridge_received':
      return bridgeActivity({ ...chain, eid: served.chain.eid }, token, row);
    default: {
      const { graduation, graduated_at: time } = token as Graduated;
      const [deposit, graduated] = graduationActivities(chain, token, graduation, time);
      return source === 'lp' ? deposit : graduated;
    }
  }
};

type Graduated = { [Key in 'graduation' | 'graduated_at']: NonNullable<KnownToken[Key]> };

/**
 * One page, newest first. Selects the positions (block and log) first, for each kind and chain along its own key and no
 * further than the end of the page; then loads the rows at these positions.
 */
export const readActivityRows = async (
  context: Reading,
  token: KnownToken,
  wanted: ReadonlySet<ActivitySubtype>,
  page: Paging,
): Promise<(ActivityRow & { served: ChainContext })[]> => {
  const chains = servedChains(context);
  const eids = livingOn(token).filter((eid) => chains.has(eid));
  // Clocks of two chains differ, so elsewhere a token may have begun before it did at home.
  const from = eids.length === 1 ? token.created_at : null;
  const places = await newestRows({ from, until: null }, page.limit, (parts) =>
    readPlaces(context.db, token, eids, wanted, parts, page),
  );
  const { db } = context;
  const [trades, transfers, sent, received] = await Promise.all([
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
    db
      .selectFrom('bridge_sent')
      .selectAll()
      .where(isAt('bridge_sent', token, places))
      .execute(),
    db
      .selectFrom('bridge_received')
      .selectAll()
      .where(isAt('bridge_received', token, places))
      .execute(),
  ]);
  const found: [Place, ActivityRow][] = [
    ...trades.map((row): [Place, ActivityRow] => [
      { ...row, source: 'trade' },
      { source: 'trade', row },
    ]),
    ...transfers.map((row): [Place, ActivityRow] => [
      { ...row, source: 'transfer' },
      { source: 'transfer', row },
    ]),
    ...sent.map((row): [Place, ActivityRow] => [
      { ...row, source: 'bridge_sent' },
      { source: 'bridge_sent', row },
    ]),
    ...received.map((row): [Place, ActivityRow] => [
      { ...row, source: 'bridge_received' },
      { source: 'bridge_received', row },
    ]),
    ...places.flatMap((place): [Place, ActivityRow][] =>
      place.source === 'lp' || place.source === 'lifecycle' ? [[place, { source: place.source, row: null }]] : [],
    ),
  ];
  const rows = new Map(found.map(([place, row]) => [placeKey(place), row]));
  // A reorg between the queries may have removed a row.
  return places.flatMap((place) => {
    const row = rows.get(placeKey(place));
    return row === undefined ? [] : [{ ...row, served: chains.get(place.eid) as ChainContext }];
  });
};

type RowSource = Exclude<Kind['source'], 'lp' | 'lifecycle'>;

const placeKey = ({ eid, source, block_number, log_index }: Place): string =>
  `${eid} ${source} ${block_number} ${log_index}`;

/** The deposit and the graduation are one log: the graduation is the later of the two. */
const readPlaces = async (
  db: Db,
  token: KnownToken,
  eids: readonly Eid[],
  wanted: ReadonlySet<ActivitySubtype>,
  parts: readonly Part[],
  { limit, offset }: Paging,
): Promise<Place[]> => {
  // Of tables that are not kept by month.
  const whole: Part[] = [[(parts.at(-1) as Part)[0], (parts[0] as Part)[1]]];
  const newest = (source: RowSource, eid: Eid, condition: RawBuilder<unknown>) =>
    eachPart(
      source === 'trade' || source === 'transfer' ? parts : whole,
      (isWithin) => sql`select ${sql.lit(source)} as source, eid, time, block_number, log_index, 0 as part
        from ${sql.table(source)} where eid = ${eid} and token = ${token.address} and ${isWithin} and ${condition}
        order by time desc, block_number desc, log_index desc limit ${limit + offset}`,
    );
  const graduation = (source: 'lp' | 'lifecycle', part: number) => {
    const { graduation: event, graduated_at: time } = token;
    if (event === null || time === null || parts.every(([since]) => time < since)) return [];
    return [
      sql`(select ${sql.lit(source)}, ${token.eid}::bigint, ${time}::timestamptz, ${event.blockNumber}::bigint,
        ${event.logIndex}::integer, ${sql.lit(part)})`,
    ];
  };
  const sides = (['buy', 'sell'] as const).filter((side) => wanted.has(side));
  const everywhere = (source: RowSource, condition = sql`true`) => eids.map((eid) => newest(source, eid, condition));
  const sources = [
    ...(sides.length === 2
      ? [newest('trade', token.eid, sql`true`)]
      : sides.map((side) => newest('trade', token.eid, sql`side = ${side}`))),
    ...(wanted.has('local') ? everywhere('transfer', sql`not is_leg and amount > 0`) : []),
    ...(wanted.has('cross_chain_sent') ? everywhere('bridge_sent') : []),
    ...(wanted.has('cross_chain_received') ? everywhere('bridge_received') : []),
    ...(wanted.has('deposit') ? graduation('lp', 1) : []),
    ...(wanted.has('graduation') ? graduation('lifecycle', 2) : []),
  ];
  if (sources.length === 0) return [];
  const { rows } = await sql<Place>`select source, eid, time, block_number, log_index
    from (${sql.join(sources, sql` union all `)}) as place (source, eid, time, block_number, log_index, part)
    order by time desc, eid, block_number desc, log_index desc, part desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
};

/** SQL condition for rows of `table` of this token at these positions, the newest first, and for the months in which they are. */
const isAt = (table: RowSource, token: KnownToken, places: readonly Place[]) => {
  const here = places.filter((place) => place.source === table);
  const [newest, oldest] = [here[0], here.at(-1)];
  if (newest === undefined || oldest === undefined) return sql<boolean>`false`;
  const eids = here.map((place) => place.eid);
  const blocks = here.map((place) => place.block_number);
  const indexes = here.map((place) => place.log_index);
  return sql<boolean>`token = ${token.address}
    and time >= ${monthOf(oldest.time)} and time < ${monthOf(newest.time, 1)}
    and (eid, block_number, log_index) in (
      select * from unnest(${eids}::bigint[], ${blocks}::bigint[], ${indexes}::integer[]))`;
};
