import type { Address } from '@mintage/protocol';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import { changeWindows, volumeWindows } from '../../db/tokenWindows.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';

// The statements are texts that are made once: to build one anew for each block took 9 ms of the way from a block to the API.

const volumes = Object.entries(volumeWindows);
const changes = Object.entries(changeWindows);

/** What the columns of a window are set to, by the window. */
interface WindowFigures {
  volume: (window: string) => string;
  earlier: (window: string) => string;
  price: (window: string) => string;
  holders: (window: string) => string;
  progress: (window: string) => string;
}

/** Every column but the key, with its value; the token is `t`. */
const columnsOf = ({ volume, earlier, price, holders, progress }: WindowFigures): [string, string][] => [
  ...volumes.map(([window]): [string, string] => [`volume_usd18_${window}`, volume(window)]),
  ...changes.flatMap(([window]): [string, string][] => [
    [`before_usd18_${window}`, earlier(window)],
    [`price_then_usd18_${window}`, price(window)],
    [`holders_then_${window}`, holders(window)],
    [`progress_then_pct18_${window}`, progress(window)],
  ]),
  ['price_change_usd18_24h', `t.price_usd18 - ${price('24h')}`],
];

const usd18Scale = (chain: ChainContext): string => (10n ** BigInt(18 - chain.decimals.usd)).toString();

const addTokens = `
  insert into token_window (eid, token, ${changes.map(([window]) => `price_then_usd18_${window}`).join(', ')})
  select eid, address, ${changes.map(() => 'start_price_usd18').join(', ')}
  from token where eid = $1 and address = any($2)`;

/** Rows that fell out of a window when it moved. */
const fell = (seconds: number) => `eid = $1 and time > $2::timestamptz - interval '${seconds} seconds'
  and time <= $4::timestamptz - interval '${seconds} seconds'`;

const sumOf = (column: string, window: string) =>
  `coalesce(sum(${column}) filter (where span = '${window}' or span is null), 0) as ${column}_${window}`;

/** The last value that fell out of a window; null: none did. */
const lastOf = (column: string, window: string) => `
  (array_agg(${column} order by block_number desc, log_index desc)
    filter (where span = '${window}' and ${column} is not null))[1] as ${column}_${window}`;

/** Parameters: eid, time and block before, time and scale now. */
const moveAll = (() => {
  const fellOut = [
    ...volumes.map(
      ([window, seconds]) => `
      select '${window}', token, -gross_usd, gross_usd, price_usd18, progress_pct18, null, block_number, log_index
      from trade where ${fell(seconds)}`,
    ),
    ...changes.map(
      ([window, seconds]) => `
      select '${window}', token, 0, -gross_usd, null, null, null, block_number, log_index
      from trade where ${fell(2 * seconds)}
      union all
      select '${window}', token, 0, 0, null, null, holders, block_number, log_index
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
  const columns = columnsOf({
    volume: (window) => `w.volume_usd18_${window} + c.volume_${window} * $5::numeric`,
    earlier: (window) => `w.before_usd18_${window} + c.earlier_${window} * $5::numeric`,
    price: (window) => `coalesce(c.price_${window}, w.price_then_usd18_${window})`,
    holders: (window) => `coalesce(c.holders_${window}, w.holders_then_${window})`,
    progress: (window) => `coalesce(c.progress_${window}, w.progress_then_pct18_${window})`,
  });
  // What came in is in every window, so its own is null.
  return `with change as (
      select token, ${sums.join(', ')} from (
        select null::text as span, token, gross_usd as volume, 0 as earlier, null::numeric as price,
          null::numeric as progress, null::bigint as holders, block_number, log_index
        from trade where eid = $1 and time >= $2::timestamptz and block_number > $3
        union all ${fellOut.join(' union all ')}) as moved
      group by token)
    update token_window w set ${columns.map(([column, value]) => `${column} = ${value}`).join(', ')}
    from change c join token t on t.eid = $1 and t.address = c.token
    where w.eid = $1 and w.token = c.token`;
})();

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
  if (created.length > 0) await tx.executeQuery(CompiledQuery.raw(addTokens, [eid, created]));
  await tx.executeQuery(CompiledQuery.raw(moveAll, [eid, from.time, from.block, to.time, usd18Scale(chain)]));
};

/** Where a window begins that ends at the time asked for. */
const start = (seconds: number) => `$2::timestamptz - interval '${seconds} seconds'`;

/** At the start: as now, where nothing moved the token since; else the first that is known. */
const then = (now: string, ...earlier: string[]) =>
  `case when moved.token is null then ${now} else coalesce(${earlier.join(', ')}) end`;

/** Parameters: eid, time, scale, and of some tokens alone their addresses. */
const compute = (isOfSome: boolean): string => {
  const concerns = (column: string) => (isOfSome ? `${column} = any($4)` : 'true');
  const longest = Math.max(...volumes.map(([, seconds]) => seconds));
  const sums = [
    ...volumes.map(([window, seconds]) => `sum(gross_usd) filter (where time > ${start(seconds)}) as volume_${window}`),
    ...changes.map(
      ([window, seconds]) =>
        `sum(gross_usd) filter (where time > ${start(2 * seconds)} and time <= ${start(seconds)}) as earlier_${window}`,
    ),
  ];
  // A token that nothing moved since the longest window began was then as it is now; others are looked up before each start.
  const movedIn = (table: 'trade' | 'transfer') =>
    `select token from ${table} where eid = $1 and time > ${start(longest)} and ${concerns('token')}`;
  const lastBefore = (table: 'trade' | 'transfer', seconds: number) => `
    from ${table} where moved.token is not null and eid = $1 and token = t.address
      and time >= t.created_at and time <= ${start(seconds)}
    order by time desc, block_number desc, log_index desc limit 1`;
  const starts = changes.map(
    ([window, seconds]) => `
    left join lateral (select price_usd18, progress_pct18 ${lastBefore('trade', seconds)}) p_${window} on true
    left join lateral (select holders ${lastBefore('transfer', seconds)}) h_${window} on true`,
  );
  const columns = columnsOf({
    volume: (window) => `coalesce(v.volume_${window}, 0) * $3::numeric`,
    earlier: (window) => `coalesce(v.earlier_${window}, 0) * $3::numeric`,
    price: (window) => then('t.price_usd18', `p_${window}.price_usd18`, 'b.price_usd18', 't.start_price_usd18'),
    holders: (window) => then('t.holders', `h_${window}.holders`, 'b.holders', '0'),
    progress: (window) => then('t.progress_pct18', `p_${window}.progress_pct18`, 'b.progress_pct18', '0'),
  });
  return `with volume as materialized (
      select token, ${sums.join(', ')}
      from trade where eid = $1 and time > ${start(2 * longest)} and ${concerns('token')} group by token),
      moved as materialized (${movedIn('trade')} union ${movedIn('transfer')})
    insert into token_window (eid, token, ${columns.map(([column]) => column).join(', ')})
    select t.eid, t.address, ${columns.map(([, value]) => value).join(', ')}
    from token t
    left join volume v on v.token = t.address
    left join moved on moved.token = t.address
    left join token_before b on b.eid = t.eid and b.token = t.address
    ${starts.join(' ')}
    where t.eid = $1 and ${concerns('t.address')}`;
};
const computeAll = compute(false);
const computeSome = compute(true);

/** Computes windows from the tables as of `at`: for all tokens, or after an undo for the tokens it affects. */
export const computeWindows = async (
  tx: Kysely<Database>,
  chain: ChainContext,
  at: Moment,
  tokens?: readonly Address[],
): Promise<void> => {
  const all = tx.deleteFrom('token_window').where('eid', '=', chain.eid);
  await (tokens === undefined ? all : all.where('token', '=', sql<Address>`any(${tokens})`)).execute();
  const values = [chain.eid, at.time, usd18Scale(chain)];
  await tx.executeQuery(
    tokens === undefined ? CompiledQuery.raw(computeAll, values) : CompiledQuery.raw(computeSome, [...values, tokens]),
  );
};

const before = (time: Date, seconds: number): Date => new Date(time.getTime() - seconds * 1000);

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
