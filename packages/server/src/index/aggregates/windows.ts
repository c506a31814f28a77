import type { Address } from '@mintage/protocol';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/chainTables.ts';
import type { ChainContext } from '../chainContext.ts';
import type { Moment } from '../events/origin.ts';

/** Lengths of the rolling windows, seconds. */
export const windowSeconds = [60, 300, 3600, 21_600, 86_400] as const;

const before = (time: Date, seconds: number): Date => new Date(time.getTime() - seconds * 1000);

const forEachWindow = (rows: (seconds: number) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(windowSeconds.map(rows), sql` union all `);

const usd18Scale = (chain: ChainContext): string => (10n ** BigInt(18 - chain.usdDecimals)).toString();

/** The last value in a group of changes that is not null. */
const last = (column: 'price' | 'progress' | 'holders') => sql`
  (array_agg(${sql.ref(column)} order by block_number desc, log_index desc)
    filter (where ${sql.ref(column)} is not null))[1] as ${sql.ref(column)}`;

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
    await sql`insert into token_window (eid, token, seconds, price_then_usd18)
      select ${eid}, address, seconds, start_price_usd18
      from token, unnest(${windowSeconds}::int[]) seconds
      where eid = ${eid} and address = any(${created})`.execute(tx);
  }
  const tradesBetween = (after: Date, until: Date) =>
    sql`from trade where eid = ${eid} and time > ${after} and time <= ${until}`;
  const moved = forEachWindow((seconds) => {
    const [left, leaves] = [before(from.time, seconds), before(to.time, seconds)];
    const [forgotten, forgets] = [before(from.time, 2 * seconds), before(to.time, 2 * seconds)];
    return sql`
      select ${seconds}::int as seconds, token, gross_usd as volume, 0 as earlier, 1 as trades,
        null::numeric as price, null::numeric as progress, null::bigint as holders, block_number, log_index
      from trade where eid = ${eid} and time >= ${from.time} and block_number > ${from.block}
      union all
      select ${seconds}::int, token, -gross_usd, gross_usd, -1, price_usd18, progress_pct18, null, block_number, log_index
      ${tradesBetween(left, leaves)}
      union all
      select ${seconds}::int, token, 0, -gross_usd, 0, null, null, null, block_number, log_index
      ${tradesBetween(forgotten, forgets)}
      union all
      select ${seconds}::int, token, 0, 0, 0, null, null, holders, block_number, log_index
      from transfer where eid = ${eid} and time > ${left} and time <= ${leaves}`;
  });
  await sql`with change as (
      select token, seconds, sum(volume) as volume, sum(earlier) as earlier, sum(trades) as trades,
        ${last('price')}, ${last('progress')}, ${last('holders')}
      from (${moved}) as moved group by token, seconds)
    update token_window w set
      volume_usd18 = w.volume_usd18 + c.volume * ${usd18Scale(chain)}::numeric,
      before_usd18 = w.before_usd18 + c.earlier * ${usd18Scale(chain)}::numeric,
      trades = w.trades + c.trades,
      price_then_usd18 = coalesce(c.price, w.price_then_usd18),
      progress_then_pct18 = coalesce(c.progress, w.progress_then_pct18),
      holders_then = coalesce(c.holders, w.holders_then),
      price_change_usd18 = t.price_usd18 - coalesce(c.price, w.price_then_usd18)
    from change c join token t on t.eid = ${eid} and t.address = c.token
    where w.eid = ${eid} and w.token = c.token and w.seconds = c.seconds`.execute(tx);
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
  const starts = forEachWindow(
    (seconds) => sql`select ${seconds}::int as seconds, ${before(at.time, seconds)}::timestamptz as start`,
  );
  const volumes = forEachWindow(
    (seconds) => sql`
      select token, ${seconds}::int as seconds,
        sum(gross_usd) filter (where time > ${before(at.time, seconds)}) as volume,
        sum(gross_usd) filter (where time <= ${before(at.time, seconds)}) as earlier,
        count(*) filter (where time > ${before(at.time, seconds)}) as trades
      from trade where eid = ${eid} and time > ${before(at.time, 2 * seconds)} and ${concerns('token')}
      group by token`,
  );
  // A token that nothing moved since the longest window began was then as it is now; others are looked up before each start.
  const movedIn = (table: 'trade' | 'transfer') => sql`
    select token from ${sql.table(table)} where eid = ${eid} and time > ${before(at.time, Math.max(...windowSeconds))}
      and ${concerns('token')}`;
  const lastOf = (table: 'trade' | 'transfer') => sql`
    from ${sql.table(table)} where moved.token is not null and eid = ${eid} and token = t.address
      and time >= t.created_at and time <= s.start
    order by time desc, block_number desc, log_index desc limit 1`;
  await sql`with start as materialized (${starts}), volume as materialized (${volumes}),
      moved as materialized (${movedIn('trade')} union ${movedIn('transfer')})
    insert into token_window (eid, token, seconds, volume_usd18, before_usd18, trades,
      price_then_usd18, holders_then, progress_then_pct18, price_change_usd18)
    select t.eid, t.address, s.seconds,
      coalesce(v.volume, 0) * ${usd18Scale(chain)}::numeric, coalesce(v.earlier, 0) * ${usd18Scale(chain)}::numeric,
      coalesce(v.trades, 0), f.price, f.holders, f.progress, t.price_usd18 - f.price
    from token t cross join start s
    left join volume v on v.token = t.address and v.seconds = s.seconds
    left join moved on moved.token = t.address
    left join token_before b on b.eid = t.eid and b.token = t.address
    left join lateral (select price_usd18, progress_pct18 ${lastOf('trade')}) p on true
    left join lateral (select holders ${lastOf('transfer')}) h on true
    cross join lateral (select
      case when moved.token is null then t.price_usd18
        else coalesce(p.price_usd18, b.price_usd18, t.start_price_usd18) end as price,
      case when moved.token is null then t.progress_pct18 else coalesce(p.progress_pct18, b.progress_pct18, 0) end as progress,
      case when moved.token is null then t.holders else coalesce(h.holders, b.holders, 0) end as holders) f
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
  const edges = windowSeconds.flatMap((seconds) => [seconds, 2 * seconds]);
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
