-- One row a token in place of one for each of its windows, without what nobody reads: docs/decisions/0064-lists-at-full-size.md
alter table token_window rename to window_row;
alter index token_window_pkey rename to window_row_pkey;

create table token_window (
  eid                     bigint not null,
  token                   text not null,
  volume_usd18_1m         numeric(78,0) not null default 0, -- trades with time in (now - 1m, now]
  volume_usd18_5m         numeric(78,0) not null default 0,
  volume_usd18_1h         numeric(78,0) not null default 0,
  volume_usd18_6h         numeric(78,0) not null default 0,
  volume_usd18_24h        numeric(78,0) not null default 0,
  before_usd18_5m         numeric(78,0) not null default 0, -- the five minutes before that
  before_usd18_1h         numeric(78,0) not null default 0,
  before_usd18_6h         numeric(78,0) not null default 0,
  before_usd18_24h        numeric(78,0) not null default 0,
  price_then_usd18_5m     numeric(78,0) not null,           -- at now - 5m, or at creation when that was later
  price_then_usd18_1h     numeric(78,0) not null,
  price_then_usd18_6h     numeric(78,0) not null,
  price_then_usd18_24h    numeric(78,0) not null,
  holders_then_5m         bigint not null default 0,
  holders_then_1h         bigint not null default 0,
  holders_then_6h         bigint not null default 0,
  holders_then_24h        bigint not null default 0,
  progress_then_pct18_5m  numeric(78,0) not null default 0,
  progress_then_pct18_1h  numeric(78,0) not null default 0,
  progress_then_pct18_6h  numeric(78,0) not null default 0,
  progress_then_pct18_24h numeric(78,0) not null default 0,
  price_change_usd18_24h  numeric(78,0) not null default 0, -- price now less price_then_usd18_24h
  primary key (eid, token)
);

do $$
declare
  figures text;
  sums text;
begin
  select string_agg(format('%s_%s', figure, word), ', '),
    string_agg(format('max(%I) filter (where seconds = %s)', figure, seconds), ', ')
  into figures, sums
  from (values ('1m', 60), ('5m', 300), ('1h', 3600), ('6h', 21600), ('24h', 86400)) as span (word, seconds)
  cross join (values ('volume_usd18'), ('before_usd18'), ('price_then_usd18'), ('holders_then'), ('progress_then_pct18'),
    ('price_change_usd18')) as of_span (figure)
  where exists (select from information_schema.columns
    where table_schema = current_schema() and table_name = 'token_window' and column_name = format('%s_%s', figure, word));
  execute format('insert into token_window (eid, token, %s) select eid, token, %s from window_row group by eid, token',
    figures, sums);
end $$;

drop table window_row;
create index token_window_by_volume_1m on token_window (volume_usd18_1m desc, eid, token);
create index token_window_by_volume_5m on token_window (volume_usd18_5m desc, eid, token);
create index token_window_by_volume_1h on token_window (volume_usd18_1h desc, eid, token);
create index token_window_by_volume_24h on token_window (volume_usd18_24h desc, eid, token);
create index token_window_by_change_24h on token_window (price_change_usd18_24h desc, eid, token);
