-- Trades, transfers and fee credits in parts, one a month (UTC, by the time of their block): docs/decisions/0067-partitions.md

alter table trade rename to trade_before;
alter table transfer rename to transfer_before;
alter table fee_credit rename to fee_credit_before;
alter table trade_before drop constraint trade_pkey;
alter table transfer_before drop constraint transfer_pkey;
alter table fee_credit_before drop constraint fee_credit_pkey;
drop index trade_by_trader, trade_by_time, transfer_by_time, transfer_between_wallets, fee_credit_by_time;

-- Within a chain, rows that are in the order of their time, block and log are in the order of block and log. Time comes first, so
-- that the newest rows are found in the newest month.
create table trade (like trade_before, primary key (eid, token, time, block_number, log_index)) partition by range (time);
create index trade_by_trader on trade (eid, trader, time, block_number, log_index);
create index trade_by_time on trade (eid, time);

create table transfer (like transfer_before, primary key (eid, token, time, block_number, log_index)) partition by range (time);
create index transfer_by_time on transfer (eid, time);
create index transfer_between_wallets on transfer (eid, token, time, block_number, log_index) where not is_leg;

create table fee_credit (
  like fee_credit_before,
  primary key (eid, recipient, distribution_type, time, block_number, log_index, part)
) partition by range (time);
create index fee_credit_by_time on fee_credit (eid, time);

-- Read beside the two above, so in the same order.
alter table bridge_sent drop constraint bridge_sent_pkey, add primary key (eid, token, time, block_number, log_index);
alter table bridge_received drop constraint bridge_received_pkey, add primary key (eid, token, time, block_number, log_index);

-- Makes the parts of the month of a moment where they are missing, without making readers wait. Several may do it at once (they
-- queue).
create function make_month(moment timestamptz) returns void language plpgsql as $$
declare
  start timestamp := date_trunc('month', moment at time zone 'UTC');
  whole text;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('make_month'));
  foreach whole in array array['trade', 'transfer', 'fee_credit'] loop
    part := whole || to_char(start, '_YYYY_MM');
    continue when to_regclass(part) is not null;
    execute format('create table %I (like %I including constraints)', part, whole);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, part,
      start at time zone 'UTC', (start + interval '1 month') at time zone 'UTC');
  end loop;
end $$;

do $$ begin
  perform make_month(month at time zone 'UTC') from (
    select date_trunc('month', time at time zone 'UTC') as month from trade_before
    union select date_trunc('month', time at time zone 'UTC') from transfer_before
    union select date_trunc('month', time at time zone 'UTC') from fee_credit_before) as months;
end $$;
insert into trade select * from trade_before;
insert into transfer select * from transfer_before;
insert into fee_credit select * from fee_credit_before;
drop table trade_before, transfer_before, fee_credit_before;

-- Since when trades, transfers and credits are kept; null: all of them are.
alter table chain add column history_from timestamptz;

-- What is still asked of rows that are gone: the last figures of a token before `history_from`, and the sums of credits.
create table token_before (
  eid            bigint not null,
  token          text not null,
  price_usd18    numeric(78,0),
  progress_pct18 numeric(78,0),
  holders        bigint,
  primary key (eid, token)
);
create table fee_before (
  eid               bigint not null,
  recipient         text not null,
  distribution_type integer not null,
  credits           bigint not null,
  earned            numeric(78,0) not null,
  primary key (eid, recipient, distribution_type)
);
