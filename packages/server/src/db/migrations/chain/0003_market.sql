-- Market data, profit, rankings and streams, kept as they happen. `_usd18` is USD with 18 fraction digits on every chain,
-- whatever its dollar has. Definitions: docs/decisions/0012-market-data.md.

-- The new columns follow from events: every chain is read again from its deployment's first block.
truncate chain, block, journal, token, trade, transfer, balance, fee_credit, fee_balance, withdrawal, referrer;

alter table chain
  add column live_from bigint,                          -- first block that reaches the streams; null until the head was reached
  add column blocks_per_second double precision,        -- how fast a backfill goes; null at the head
  add column rolled_block bigint,                       -- block that token_window and earner stand at; null: none of this chain yet
  add column rolled_time timestamptz;                   -- of that block

alter table token
  add column start_price_usd18  numeric(78,0) not null, -- of one whole token, at creation
  add column price_usd18        numeric(78,0) not null, -- after the last trade; at creation the start price
  add column progress_pct18     numeric(78,0) not null default 0, -- share of the curve that is sold, percent with 18 fraction digits
  add column stage              text not null default 'new',      -- new | graduating | graduated
  add column volume_tokens      numeric(78,0) not null default 0,
  add column volume_usd18       numeric(78,0) not null default 0; -- gross; equals volume_usd
-- What a wallet's value needs of a token, without its wide row.
alter table token drop constraint token_pkey, add primary key (chain_id, address) include (token_id, price_usd18);
create index token_by_price on token (price_usd18 desc, token_id);
create index token_by_trades on token (trades desc, token_id);
create index token_by_holders on token (holders desc, token_id);
create index token_by_progress on token (stage, progress_pct18 desc, token_id);
create index token_by_graduation on token (graduated_at desc, token_id) where graduated_at is not null;
-- Any part of a name or symbol; with it the beginning and the whole.
create extension if not exists pg_trgm;
create index token_by_words on token using gin (lower(name) gin_trgm_ops, lower(symbol) gin_trgm_ops);

alter table trade
  add column price_usd18    numeric(78,0) not null,     -- after this trade
  add column progress_pct18 numeric(78,0) not null;     -- after this trade
drop index trade_by_block;
create index trade_by_time on trade (chain_id, time);

alter table transfer
  add column is_leg  boolean not null,                  -- one side is the launchpad, the pool or nobody: part of a trade or of the creation
  add column holders bigint not null;                   -- of the token, after this transfer
drop index transfer_by_block;
create index transfer_by_time on transfer (chain_id, time);
create index transfer_between_wallets on transfer (chain_id, token, block_number desc, log_index desc) where not is_leg;

-- Average cost of what a wallet holds, and what it made so far; base units of the chain's dollar.
alter table balance
  add column cost_usd      numeric(78,0) not null default 0, -- of `amount`
  add column realised_usd  numeric(78,0) not null default 0, -- may be negative
  add column bought_usd    numeric(78,0) not null default 0,
  add column bought_tokens numeric(78,0) not null default 0,
  add column sold_usd      numeric(78,0) not null default 0,
  add column sold_tokens   numeric(78,0) not null default 0;
drop index balance_by_wallet;
create index balance_by_wallet on balance (chain_id, wallet) include (token, amount, cost_usd, realised_usd);
create index balance_by_amount on balance (chain_id, token, amount desc, wallet) where amount > 0;

drop index fee_balance_by_earned, fee_credit_by_block, fee_credit_by_token;
-- The id follows from other columns and is made when it is shown. The key is also what a history of one kind is read along.
alter table fee_credit
  drop column id,
  drop constraint fee_credit_pkey,
  add primary key (chain_id, recipient, distribution_type, block_number, log_index, part);
create index fee_credit_by_time on fee_credit (chain_id, time);

-- Credits by recipient and kind, so that a filtered history knows its length.
create table fee_sum (
  chain_id          bigint not null,
  recipient         text not null,
  distribution_type integer not null,
  credits           bigint not null,
  earned            numeric(78,0) not null,
  primary key (chain_id, recipient, distribution_type)
);

create table trader (
  chain_id       bigint not null,
  wallet         text not null,
  volume_usd     numeric(78,0) not null,                -- gross, trades through us and through the pool alike
  referable_usd  numeric(78,0) not null,                -- gross, without swaps by foreign routers: what counts for referral codes
  trades         bigint not null,
  first_trade_at timestamptz not null,
  last_trade_at  timestamptz not null,
  primary key (chain_id, wallet)
);

create table candle (
  chain_id      bigint not null,
  token         text not null,
  seconds       integer not null,                       -- 60, 300, 900, 3600, 14400, 86400
  bucket        timestamptz not null,                   -- UTC-aligned start
  open_usd18    numeric(78,0) not null,                 -- price before the bucket's first trade
  high_usd18    numeric(78,0) not null,
  low_usd18     numeric(78,0) not null,
  close_usd18   numeric(78,0) not null,
  volume_tokens numeric(78,0) not null,
  volume_usd18  numeric(78,0) not null,
  trades        bigint not null,
  primary key (chain_id, token, seconds, bucket)
);

-- The last W seconds before the newest indexed block of the chain, for each token, W in 60, 300, 3600, 21600, 86400.
create table token_window (
  chain_id            bigint not null,
  token               text not null,
  seconds             integer not null,
  volume_usd18        numeric(78,0) not null default 0, -- trades with time in (now - W, now]
  before_usd18        numeric(78,0) not null default 0, -- the W before that
  trades              bigint not null default 0,
  price_then_usd18    numeric(78,0) not null,           -- at now - W, or at creation when that was later
  holders_then        bigint not null default 0,
  progress_then_pct18 numeric(78,0) not null default 0,
  price_change_pct18  numeric(78,0) not null default 0, -- from price_then to now, percent with 18 fraction digits, rounded to zero
  primary key (chain_id, token, seconds)
);
create index token_window_by_volume on token_window (seconds, volume_usd18 desc, chain_id, token);
create index token_window_by_change on token_window (seconds, price_change_pct18 desc, chain_id, token);

-- Who earned most, over the chains of a network: mainnet, testnet or both. Sums of many chains' credits, so a chain
-- adds and takes back differences and never puts an image back. Treasury credits do not count.
create table earner (
  network         text not null,
  account         text not null,                        -- a wallet; of a user with several wallets, the first
  earned_usd18    numeric(78,0) not null,
  earned_7d_usd18 numeric(78,0) not null,               -- credits of the last 7 days before each chain's newest indexed block
  primary key (network, account)
);
create index earner_by_earned on earner (network, earned_usd18 desc, account);
create index earner_by_week on earner (network, earned_7d_usd18 desc, account);
-- Further wallets of one user. Written by `linkWallets`, never by events.
create table earner_wallet (
  wallet  text primary key,
  account text not null
);
create index earner_wallet_by_account on earner_wallet (account);

-- What the streams tell. Numbers are given in commit order: a reader that saw 7 never misses a 6.
create table stream_topic (
  topic    text primary key,                            -- tokenActivity | walletBalances | walletFees
  last_seq bigint not null
);
-- From the clock on, so that a database made anew after a loss gives no number a second time (below 1,000 events a second).
insert into stream_topic (topic, last_seq)
  select topic, floor(extract(epoch from now()) * 1000)
  from unnest(array['tokenActivity', 'walletBalances', 'walletFees']) topic;
create table stream_event (
  topic        text not null,
  seq          bigint not null,
  chain_id     bigint not null,
  block_number bigint not null,
  time         timestamptz not null,
  platform_id  text,
  wallet       text,                                    -- balances: holder; fees: recipient
  retracts     bigint,                                  -- seq of the event that a reorg took back
  retracted    boolean not null default false,
  data         jsonb not null,                          -- as the wire has it (wire contract 9.4), with `platform_id`
  created_at   timestamptz not null default now(),      -- kept for 7 days from here, and never more than 1,000,000 per topic
  primary key (topic, seq)
);
create index stream_event_by_time on stream_event (topic, time, seq);
create index stream_event_by_token on stream_event (topic, platform_id, seq);
create index stream_event_by_wallet on stream_event (topic, wallet, seq);
create index stream_event_by_block on stream_event (chain_id, block_number);
