-- A market of 30 days, made in the tables of the index. Every draw is a hash of its number, so each run makes the same
-- rows; what follows from events (balances, costs, candles, windows, rankings) is computed from them here, by plain SQL.
-- Before this file: the temporary tables `size` (events, tokens, wallets, ends_at) and `network` (eid, name).

set synchronous_commit = off;
set work_mem = '256MB';
set maintenance_work_mem = '512MB';

create function pg_temp.hash(kind text, number bigint) returns text immutable language sql as
  $$ select '0x' || encode(sha256((kind || number)::bytea), 'hex') $$;

select make_month(ends_at - interval '30 days'), make_month(ends_at) from size;

-- Keys and indexes are made after the rows; nothing of it needs to survive a crash.
create temp table later (line text, is_key boolean);
do $$
declare big text; stored regclass; made record;
begin
  foreach big in array array['trade', 'transfer', 'balance', 'fee_credit', 'candle'] loop
    for stored in select oid from pg_class where oid = big::regclass and relkind = 'r'
        union all select inhrelid from pg_inherits where inhparent = big::regclass loop
      execute format('alter table %s set unlogged', stored);
    end loop;
    for made in select conname, pg_get_constraintdef(oid) as rule from pg_constraint
        where conrelid = big::regclass and contype = 'p' loop
      insert into later values (format('alter table %I add constraint %I %s', big, made.conname, made.rule), true);
      execute format('alter table %I drop constraint %I', big, made.conname);
    end loop;
    for made in select indexrelid::regclass as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as rule from pg_index
        where indrelid = big::regclass loop
      insert into later values (made.rule, false);
      execute format('drop index %s', made.name);
    end loop;
  end loop;
end $$;

-- People. Every 25th wallet is the first of a user's two; the busiest ten are nobody's.
create temp table person as
  select n, left(pg_temp.hash('wallet', n), 42) as address from size, generate_series(0, wallets - 1) n;
alter table person add primary key (n);
insert into app_user (user_id)
  select md5('user' || n)::uuid from person where n % 25 = 10;
insert into user_wallet (address, user_id, created_at)
  select address, md5('user' || n / 25 * 25 + 10)::uuid, '2026-01-01'::timestamptz + n * interval '1 second'
  from person where n % 25 in (10, 11);
insert into earner_wallet (wallet, account)
  select second.address, first.address from person second join person first on first.n = second.n - 1
  where second.n % 25 = 11;

-- Tokens, older ones more popular. `start18` is the price at creation.
create temp table made as
  select k, c.eid, c.usd, c.usd_decimals, left(pg_temp.hash('token', k), 42) as address,
    pg_temp.hash('platform', k) as platform_id,
    ends_at - interval '30 days' + interval '29 days' * (k::double precision / tokens) as created_at,
    floor(1e18 * exp(-11.5 + 4.6 * pg_temp.uniform(k, 1))::numeric) as start18,
    (pg_temp.zipf(k, 2, 5000) * 7) % wallets as creator
  from size, generate_series(0, tokens - 1) k
  join (select *, row_number() over (order by eid) - 1 as place, count(*) over () as places from chain) c
    on c.place = k % c.places;
alter table made add primary key (k);

-- What a wallet does with a token: it buys, then sells what it bought or a half of it (or gives the half away), and again.
create temp table event as
  with drawn as (
    select i, ends_at - interval '30 days' + interval '30 days' * ((i + 1)::double precision / events) as time,
      pg_temp.zipf(i, 3, greatest(1, tokens * i / events)) as k,
      case when pg_temp.uniform(i, 4) < 0.1 then floor(pg_temp.uniform(i, 5) * wallets)::bigint
        else pg_temp.zipf(i, 5, wallets) end as w
    from size, generate_series(0, events - 1) i
  ), priced as (
    select drawn.*, m.eid, m.address, m.usd, m.usd_decimals, m.creator, m.start18,
      row_number() over (partition by k, w order by i) as n,
      floor(m.start18 * (1.5 + sin(i / 20000.0 + k) + 0.1 * pg_temp.uniform(i, 6))::numeric) as price18,
      (floor((exp(pg_temp.uniform(i, 7) * ln(5000)) * 1e6)::numeric) * 10::numeric ^ (m.usd_decimals - 6))::numeric(78, 0) as stake
    from drawn join made m using (k)
  ), bought as (
    select priced.*, floor(stake * 99 / 100 * 10::numeric ^ (36 - usd_decimals) / price18) as amount from priced
  ), dealt as (
    select bought.*,
      case when n % 2 = 1 then 'buy' when pg_temp.uniform(i, 8) < 0.05 then 'give' else 'sell' end as kind,
      case when n % 2 = 1 then amount
        else floor(lag(amount) over (partition by k, w order by i) / (1 + i % 2)) end as tokens
    from bought
  )
  select i, time, k, w, n, eid, address, usd, usd_decimals, creator, start18, kind, price18, tokens,
    case kind when 'buy' then stake when 'sell' then floor(tokens * price18 / 10::numeric ^ (36 - usd_decimals)) else 0 end as gross
  from dealt;

-- Trades, with what their rows and those that follow from them repeat. `before18` is the price before the trade.
create temp table deal as
  select e.*, ceil(gross / 100) as base, gross * 10::numeric ^ (18 - usd_decimals) as usd18,
    lag(price18, 1, start18) over (partition by k order by i) as before18,
    pg_temp.hash('block', i / 4) as block_hash, pg_temp.hash('tx', i) as tx_hash,
    case when pg_temp.uniform(i, 9) < 0.1 then pg_temp.zipf(i, 10, 10) end as builder,
    case when pg_temp.uniform(i, 11) < 0.2 then pg_temp.zipf(i, 12, 2000) end as referral,
    case when w % 3 = 1 then w / 50 end as referrer
  from event e where kind <> 'give';

insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
    block_number, log_index, tx_hash, virtual_tokens, virtual_usd, graduated_at, pool_id, sqrt_price_x96, liquidity, tick,
    trades, volume_usd, holders, last_trade_at, price_usd18, progress_pct18, stage, volume_tokens, volume_usd18,
    start_price_usd18)
  select m.eid, m.address,
    (substr(platform_id, 3, 8) || '-' || substr(platform_id, 11, 4) || '-8' || substr(platform_id, 16, 3) || '-'
      || substr('89ab', (('x' || substr(platform_id, 19, 1))::bit(4) & b'0011')::int + 1, 1) || substr(platform_id, 20, 3)
      || '-' || substr(platform_id, 23, 12))::uuid,
    platform_id, person.address, 7,
    (array['Paper', 'Quiet', 'Silver', 'Lucky', 'Tiny', 'Brave', 'Red', 'Moon'])[1 + k % 8] || ' '
      || (array['Boat', 'Fox', 'Owl', 'Cactus', 'Kettle', 'Comet', 'Otter', 'Lamp', 'Violin', 'Bridge'])[1 + k / 8 % 10] || ' ' || k,
    (array['BOAT', 'FOX', 'OWL', 'CACT', 'KETL', 'COMT', 'OTTR', 'LAMP', 'VIOL', 'BRDG'])[1 + k / 8 % 10],
    'ipfs://' || k, pg_temp.hash('salt', k), created_at, 1 + k, 0, pg_temp.hash('creation', k),
    1e27, floor(coalesce(t.price18, start18) * 10::numeric ^ (m.usd_decimals - 9)), grown.graduated_at,
    case when grown.graduated_at is not null then pg_temp.hash('pool', k) end,
    case when grown.graduated_at is not null then floor(2 ^ 96::numeric * 1e-7) end,
    case when grown.graduated_at is not null then 1e20 end, case when grown.graduated_at is not null then 0 end,
    coalesce(t.trades, 0), coalesce(t.gross, 0), 0, t.last_trade_at, coalesce(t.price18, start18),
    floor(grown.share * 1e20)::numeric,
    case when grown.graduated_at is not null then 'graduated' when grown.share >= 0.75 then 'graduating' else 'new' end,
    coalesce(t.tokens, 0), coalesce(t.gross, 0) * 10::numeric ^ (18 - m.usd_decimals), start18
  from made m join person on person.n = m.creator
  left join (select k, count(*) as trades, sum(gross) as gross, sum(tokens) as tokens, max(time) as last_trade_at,
      (array_agg(price18 order by i desc))[1] as price18 from deal group by k) t using (k)
  cross join lateral (select least(1, pg_temp.uniform(k, 13) ^ 3 * 1.03) as share,
    case when pg_temp.uniform(k, 13) ^ 3 * 1.03 >= 1 then coalesce(t.last_trade_at, m.created_at) end as graduated_at) grown;
insert into token_slug (slug, token_id) select replace(lower(name), ' ', '-'), token_id from token;
insert into token_draft (token_id, eid, address, creator, pool_type, name, symbol, slug, description, token_uri, logo, tags)
  select token_id, eid, address, creator, 'meme', name, symbol, replace(lower(name), ' ', '-'),
    'The one and only ' || name || '. A token for those who like a ' || lower(symbol) || ' and nothing else.', uri,
    'http://127.0.0.1/' || symbol || '.webp',
    array['meme', lower(symbol)] || case when log_index = 0 and block_number % 5 = 0 then array['ai'] else array[]::text[] end
  from token where block_number % 5 <> 4;

insert into trade (eid, token, block_number, log_index, block_hash, tx_hash, time, trader, recipient, side, venue,
    foreign_router, gross_usd, tokens, fee_bps, base, excess, builder, builder_bps, builder_fee, referral, referrer,
    cashback, state_a, state_b, tick, price_usd18, progress_pct18)
  select d.eid, d.address, 100 + i / 4, i % 4 * 10, block_hash, tx_hash, time,
    p.address, p.address, kind, 'curve', false, gross, tokens, 100, base, 0,
    coalesce(b.address, '0x' || repeat('0', 40)), case when builder is null then 0 else 100 end,
    case when builder is null then 0 else floor(gross / 100) end, coalesce(r.address, '0x' || repeat('0', 40)),
    coalesce(f.address, '0x' || repeat('0', 40)), case when d.referrer is null then 0 else floor(gross * 4 / 10000) end,
    1e27, floor(price18 * 10::numeric ^ (usd_decimals - 9)), 0, price18, floor(1e20 * (i::numeric / (select events from size)))
  from deal d join person p on p.n = w left join person b on b.n = builder left join person r on r.n = referral
  left join person f on f.n = d.referrer order by i;

insert into transfer (eid, token, block_number, log_index, block_hash, tx_hash, time, sender, recipient, amount, is_leg, holders)
  select e.eid, e.address, 100 + i / 4, i % 4 * 10 + 1, pg_temp.hash('block', i / 4), pg_temp.hash('tx', i), time,
    case kind when 'buy' then c.launchpad else p.address end,
    case kind when 'sell' then c.launchpad when 'give' then left(pg_temp.hash('exchange', i % 100), 42) else p.address end,
    tokens, kind <> 'give', 1 + e.n
  from event e join person p on p.n = w join chain c using (eid) order by i;

-- Average cost, event by event: held, cost, realised, bought USD and tokens, sold USD and tokens.
create function pg_temp.settle(s numeric[], kind text, tokens numeric, usd numeric) returns numeric[] immutable language plpgsql as $$
declare share numeric;
begin
  if kind = 'buy' then
    return array[s[1] + tokens, s[2] + usd, s[3], s[4] + usd, s[5] + tokens, s[6], s[7]];
  end if;
  share := case when s[1] = 0 then 0 else floor(s[2] * tokens / s[1]) end;
  if kind = 'give' then return array[s[1] - tokens, s[2] - share, s[3], s[4], s[5], s[6], s[7]]; end if;
  return array[s[1] - tokens, s[2] - share, s[3] + usd - share, s[4], s[5], s[6] + usd, s[7] + tokens];
end $$;
create aggregate pg_temp.settled(text, numeric, numeric)
  (sfunc = pg_temp.settle, stype = numeric[], initcond = '{0,0,0,0,0,0,0}');
create temp table account as
  select eid, address, w, i, time, n, kind, tokens, state, state[2] - lag(state[2]) over mine as cost_moved
  from (select e.*, pg_temp.settled(kind, tokens, case kind when 'sell' then gross - ceil(gross / 100) else gross end)
      over (partition by k, w order by i) as state from event e) e
  window mine as (partition by address, w order by i);
insert into balance (eid, token, wallet, amount, first_acquired, updated_at, cost_usd, realised_usd, bought_usd,
    bought_tokens, sold_usd, sold_tokens)
  select last.eid, last.address, person.address, state[1], first.time, last.time, state[2], state[3], state[4],
    state[5], state[6], state[7]
  from (select distinct on (address, w) * from account order by address, w, i desc) last
  join (select address, w, time from account where n = 1) first using (address, w) join person on person.n = w
  union all
  select eid, address, left(pg_temp.hash('exchange', i % 100), 42), sum(tokens), min(time), max(time),
    -sum(cost_moved), 0, 0, 0, 0, 0
  from account where kind = 'give' group by eid, address, i % 100;
update token set holders = h.holders
  from (select eid, token, count(*) as holders from balance where amount > 0 group by 1, 2) h
  where h.eid = token.eid and h.token = token.address;

insert into fee_credit (eid, recipient, block_number, log_index, part, block_hash, tx_hash, time, currency, amount,
    distribution_type, activity_id, token)
  select eid, coalesce(p.address, c.treasury), 100 + i / 4, i % 4 * 10, part,
    block_hash, tx_hash, time, d.usd, floor(gross * bps / 10000), type, 0, d.address
  from deal d join chain c using (eid)
  cross join lateral (values
    (0, 1, case when builder is not null then 100 end, builder),
    (1, 0, case when referral is null then 50 else 35 end, creator),
    (2, 2, case when referral is not null then 15 end, referral),
    (3, 3, case when referrer is not null then 10 end, referrer),
    (4, 4, case when referrer is not null then 4 end, w),
    (5, 255, case when referrer is null then 50 else 36 end, null)) f (part, type, bps, payee)
  left join person p on p.n = payee
  where bps is not null order by i;
create temp table credited as
  select f.eid, recipient, currency, distribution_type, count(*) as credits, sum(amount) as earned, max(time) as last_at,
    coalesce(sum(amount) filter (where time > c.indexed_time - interval '7 days'), 0) as week
  from fee_credit f join chain c using (eid) group by 1, 2, 3, 4;
insert into fee_balance (eid, recipient, currency, earned, claimable, last_distribution_at)
  select eid, recipient, currency, sum(earned), floor(sum(earned) / 3), max(last_at) from credited group by 1, 2, 3;
insert into fee_sum (eid, recipient, distribution_type, credits, earned)
  select eid, recipient, distribution_type, credits, earned from credited;
insert into referrer (eid, trader, referrer, block_number, time)
  select eid, p.address, f.address, min(i) / 4 + 100, min(time) from deal d
  join person p on p.n = w join person f on f.n = d.referrer group by 1, 2, 3;
insert into trader (eid, wallet, volume_usd, trades, first_trade_at, last_trade_at)
  select eid, p.address, sum(gross), count(*), min(time), max(time)
  from deal join person p on p.n = w group by 1, 2;
insert into earner (network, account, earned_usd18, earned_7d_usd18)
  select shown.name, coalesce(a.account, f.recipient), sum(earned * scale), sum(week * scale)
  from credited f join chain c using (eid) join network using (eid)
  cross join lateral (values (network.name), ('both')) shown (name)
  cross join lateral (select 10::numeric ^ (18 - c.usd_decimals) as scale) s
  left join earner_wallet a on a.wallet = f.recipient
  where f.recipient <> c.treasury group by 1, 2;

-- Candles: a minute from the trades, each longer one from the one before.
insert into candle
  select eid, address, 60, minute, open, greatest(open, high), least(open, low), close, tokens, usd18, trades
  from (select eid, address, date_trunc('minute', time) as minute, (array_agg(before18 order by i))[1] as open,
      max(price18) as high, min(price18) as low, (array_agg(price18 order by i desc))[1] as close, sum(tokens) as tokens,
      sum(usd18) as usd18, count(*) as trades from deal group by 1, 2, 3) minutes;
do $$
declare longer integer; shorter integer := 60;
begin
  foreach longer in array array[300, 900, 3600, 14400, 86400] loop
    insert into candle
      select eid, token, longer, to_timestamp(floor(extract(epoch from bucket) / longer) * longer) as start,
        (array_agg(open_usd18 order by bucket))[1], max(high_usd18), min(low_usd18),
        (array_agg(close_usd18 order by bucket desc))[1], sum(volume_tokens), sum(volume_usd18), sum(trades)
      from candle where seconds = shorter group by eid, token, start;
    shorter := longer;
  end loop;
end $$;

do $$
declare made record;
begin
  for made in select line from later order by is_key desc loop execute made.line; end loop;
end $$;

create temp table recent as
  select w.seconds, d.eid, d.address, sum(usd18) filter (where inside) as now18,
    sum(usd18) filter (where not inside) as before18, (array_agg(d.before18 order by i) filter (where inside))[1] as then18
  from size cross join (values (60), (300), (3600), (21600), (86400)) w (seconds) cross join deal d
  cross join lateral (select time > ends_at - seconds * interval '1 second' as inside) s
  where time > ends_at - 2 * seconds * interval '1 second' group by 1, 2, 3;
do $$
declare
  figures text;
  sums text;
begin
  select string_agg(format('%s_%s', figure, word), ', '), string_agg(format(value, seconds), ', ')
  into figures, sums
  from (values ('1m', 60), ('5m', 300), ('1h', 3600), ('6h', 21600), ('24h', 86400)) as span (word, seconds)
  cross join (values
    ('volume_usd18', 'coalesce(max(now18) filter (where seconds = %s), 0)'),
    ('before_usd18', 'coalesce(max(before18) filter (where seconds = %s), 0)'),
    ('price_then_usd18', 'coalesce(max(then18) filter (where seconds = %s), t.price_usd18)'),
    ('holders_then', 't.holders'),
    ('price_change_usd18', 't.price_usd18 - coalesce(max(then18) filter (where seconds = %s), t.price_usd18)')
  ) as of_span (figure, value)
  where exists (select from information_schema.columns
    where table_name = 'token_window' and column_name = format('%s_%s', figure, word));
  execute format('insert into token_window (eid, token, %s) select t.eid, t.address, %s
    from token t left join recent on recent.eid = t.eid and recent.address = t.address group by t.eid, t.address',
    figures, sums);
end $$;
