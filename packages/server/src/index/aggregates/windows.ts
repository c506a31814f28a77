import type { Address } from '@mintage/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import { changeWindows, volumeWindows } from '../../db/tokenWindows.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';

type Sql = RawBuilder<unknown>;

const volumes = Object.entries(volumeWindows);
const changes = Object.entries(changeWindows);

/** What each column of a window is, by the window. */
interface WindowFigures {
  volume: (window: string) => Sql;
  earlier: (window: string) => Sql;
  price: (window: string) => Sql;
  holders: (window: string) => Sql;
  progress: (window: string) => Sql;
}

/** Every column but the key, with its value; the token is `t`. */
const columnsOf = ({ volume, earlier, price, holders, progress }: WindowFigures): [Sql, Sql][] => {
  const of = (figure: string, windows: [string, number][], value: (window: string) => Sql) =>
    windows.map(([window]): [Sql, Sql] => [sql.ref(`${figure}_${window}`), value(window)]);
  return [
    ...of('volume_usd18', volumes, volume),
    ...of('before_usd18', changes, earlier),
    ...of('price_then_usd18', changes, price),
    ...of('holders_then', changes, holders),
    ...of('progress_then_pct18', changes, progress),
    [sql.ref('price_change_usd18_24h'), sql`t.price_usd18 - ${price('24h')}`],
  ];
};

const before = (time: Date, seconds: number): Date => new Date(time.getTime() - seconds * 1000);

const usd18Scale = (chain: ChainContext): Sql => sql`${(10n ** BigInt(18 - chain.usdDecimals)).toString()}::numeric`;

const ref = (table: string, figure: string, window: string): Sql => sql.ref(`${table}.${figure}_${window}`);

/** Of the rows that moved into or out of a window; what came in is in every window, so its own is null. */
const sumOf = (column: string, window: string) =>
  sql`coalesce(sum(${sql.ref(column)}) filter (where "window" = ${window} or "window" is null), 0) as ${sql.ref(`${column}_${window}`)}`;

const lastOf = (column: string, window: string) => sql`
  (array_agg(${sql.ref(column)} order by block_number desc, log_index desc)
    filter (where "window" = ${window} and ${sql.ref(column)} is not null))[1] as ${sql.ref(`${column}_${window}`)}`;

/** A figure at the start of a window: now, where nothing moved the token since; else the first that is known. */
const then = (now: Sql, ...earlier: Sql[]) =>
  sql`case when moved.token is null then ${now} else coalesce(${sql.join(earlier)}) end`;

/**
 * Moves every window of the chain from one block to a later one whose rows are in the tables: adds what came in,
 * subtracts what fell out, and measures changes from the last row that fell out.
 *
 * @param created - Tokens of the blocks between.
 */
export const moveWindows = async (
  tx: Kysely<Database>,
  chain: ChainContext,
  from: Moment,
  to: Moment,
  created: readonly Address[],
): Promise<void> => {
  const { eid } = chain;
  if (created.length > 0) {
    const prices = changes.map(([window]) => sql.ref(`price_then_usd18_${window}`));
    await sql`insert into token_window (eid, token, ${sql.join(prices)})
      select eid, address, ${sql.join(prices.map(() => sql.ref('start_price_usd18')))}
      from token where eid = ${eid} and address = any(${created})`.execute(tx);
  }
  const fell = (seconds: number) =>
    sql`eid = ${eid} and time > ${before(from.time, seconds)} and time <= ${before(to.time, seconds)}`;
  const fellOut = [
    ...volumes.map(
      ([window, seconds]) => sql`
        select ${window}::text, token, -gross_usd, gross_usd, price_usd18, progress_pct18, null, block_number, log_index
        from trade where ${fell(seconds)}`,
    ),
    ...changes.map(
      ([window, seconds]) => sql`
        select ${window}::text, token, 0, -gross_usd, null, null, null, block_number, log_index
        from trade where ${fell(2 * seconds)}
        union all
        select ${window}::text, token, 0, 0, null, null, holders, block_number, log_index
        from transfer where ${fell(seconds)}`,
    ),
  ];
  const sums = [
    ...volumes.map(([window]) => sumOf('volume', window)),
    ...changes.flatMap(([window]) => [
      sumOf('earlier', window),
      ...['price', 'progress', 'holders'].map((column) => lastOf(column, window)),
    ]),
  ];
  const scale = usd18Scale(chain);
  const columns = columnsOf({
    volume: (window) => sql`${ref('w', 'volume_usd18', window)} + ${ref('c', 'volume', window)} * ${scale}`,
    earlier: (window) => sql`${ref('w', 'before_usd18', window)} + ${ref('c', 'earlier', window)} * ${scale}`,
    price: (window) => sql`coalesce(${ref('c', 'price', window)}, ${ref('w', 'price_then_usd18', window)})`,
    holders: (window) => sql`coalesce(${ref('c', 'holders', window)}, ${ref('w', 'holders_then', window)})`,
    progress: (window) => sql`coalesce(${ref('c', 'progress', window)}, ${ref('w', 'progress_then_pct18', window)})`,
  });
  await sql`with change as (
      select token, ${sql.join(sums)} from (
        select null::text as "window", token, gross_usd as volume, 0 as earlier, null::numeric as price,
          null::numeric as progress, null::bigint as holders, block_number, log_index
        from trade where eid = ${eid} and time >= ${from.time} and block_number > ${from.block}
        union all ${sql.join(fellOut, sql` union all `)}) as moved
      group by token)
    update token_window w set ${sql.join(columns.map(([column, value]) => sql`${column} = ${value}`))}
    from change c join token t on t.eid = ${eid} and t.address = c.token
    where w.eid = ${eid} and w.token = c.token`.execute(tx);
};

/** Computes windows from the tables as of `at`: for all tokens, or after an undo for the tokens it affects. */
export const computeWindows = async (
  tx: Kysely<Database>,
  chain: ChainContext,
  at: Moment,
  tokens?: readonly Address[],
): Promise<void> => {
  const { eid } = chain;
  const concerns = (column: string) => (tokens === undefined ? sql`true` : sql`${sql.ref(column)} = any(${tokens})`);
  await sql`delete from token_window where eid = ${eid} and ${concerns('token')}`.execute(tx);
  const longest = Math.max(...volumes.map(([, seconds]) => seconds));
  const sums = [
    ...volumes.map(
      ([window, seconds]) => sql`
      sum(gross_usd) filter (where time > ${before(at.time, seconds)}) as ${sql.ref(`volume_${window}`)}`,
    ),
    ...changes.map(
      ([window, seconds]) => sql`
      sum(gross_usd) filter (where time > ${before(at.time, 2 * seconds)} and time <= ${before(at.time, seconds)})
        as ${sql.ref(`earlier_${window}`)}`,
    ),
  ];
  // A token that nothing moved since the longest window began was then as it is now; others are looked up before each start.
  const movedIn = (table: 'trade' | 'transfer') => sql`
    select token from ${sql.table(table)} where eid = ${eid} and time > ${before(at.time, longest)} and ${concerns('token')}`;
  const lastBefore = (table: 'trade' | 'transfer', start: Date) => sql`
    from ${sql.table(table)} where moved.token is not null and eid = ${eid} and token = t.address
      and time >= t.created_at and time <= ${start}
    order by time desc, block_number desc, log_index desc limit 1`;
  const starts = changes.map(([window, seconds]) => {
    const start = before(at.time, seconds);
    return sql`
      left join lateral (select price_usd18, progress_pct18 ${lastBefore('trade', start)}) ${sql.ref(`p_${window}`)} on true
      left join lateral (select holders ${lastBefore('transfer', start)}) ${sql.ref(`h_${window}`)} on true`;
  });
  const scale = usd18Scale(chain);
  const columns = columnsOf({
    volume: (window) => sql`coalesce(${ref('v', 'volume', window)}, 0) * ${scale}`,
    earlier: (window) => sql`coalesce(${ref('v', 'earlier', window)}, 0) * ${scale}`,
    price: (window) =>
      then(sql`t.price_usd18`, sql.ref(`p_${window}.price_usd18`), sql`b.price_usd18`, sql`t.start_price_usd18`),
    holders: (window) => then(sql`t.holders`, sql.ref(`h_${window}.holders`), sql`b.holders`, sql`0`),
    progress: (window) =>
      then(sql`t.progress_pct18`, sql.ref(`p_${window}.progress_pct18`), sql`b.progress_pct18`, sql`0`),
  });
  await sql`with volume as materialized (
      select token, ${sql.join(sums)}
      from trade where eid = ${eid} and time > ${before(at.time, 2 * longest)} and ${concerns('token')} group by token),
      moved as materialized (${movedIn('trade')} union ${movedIn('transfer')})
    insert into token_window (eid, token, ${sql.join(columns.map(([column]) => column))})
    select t.eid, t.address, ${sql.join(columns.map(([, value]) => value))}
    from token t
    left join volume v on v.token = t.address
    left join moved on moved.token = t.address
    left join token_before b on b.eid = t.eid and b.token = t.address
    ${sql.join(starts, sql` `)}
    where t.eid = ${eid} and ${concerns('t.address')}`.execute(tx);
};

/** Tokens whose windows differ at an earlier block. Call it before the blocks in between are undone. */
export const tokensMovedSince = async (
  tx: Kysely<Database>,
  chain: ChainContext,
  earlier: Moment,
  now: Moment,
): Promise<Address[]> => {
  const { eid } = chain;
  const edges = volumes.flatMap(([, seconds]) => [seconds, 2 * seconds]);
  const ranges = sql.join(
    edges.map((seconds) => sql`time > ${before(earlier.time, seconds)} and time <= ${before(now.time, seconds)}`),
    sql` or `,
  );
  const moved = (table: 'trade' | 'transfer') => sql`
    select token from ${sql.table(table)} where eid = ${eid}
      and (time >= ${earlier.time} and block_number > ${earlier.block} or ${ranges})`;
  const { rows } = await sql<{ token: Address }>`
    ${moved('trade')} union ${moved('transfer')}
    union select address from token where eid = ${eid} and created_at >= ${earlier.time}
      and block_number > ${earlier.block}`.execute(tx);
  return rows.map(({ token }) => token);
};
