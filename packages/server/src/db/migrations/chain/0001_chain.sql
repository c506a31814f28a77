-- What the chains say. Written by the indexer only; read by the api through `@mintage/indexer/db`.
-- Every key starts with the chain or the token. Amounts are base units in numeric(78,0); addresses and hashes are
-- lower-case hex text with 0x; times are timestamptz of the block.

-- One row per configured chain: the indexer's position and its writer's lease.
create table chain (
  chain_id         bigint primary key,
  slug             text not null unique,
  usd              text not null,
  usd_decimals     integer not null,
  launchpad        text not null,
  pool_manager     text,
  head             bigint not null default 0,
  indexed          bigint not null default -1,
  indexed_hash     text,
  indexed_time     timestamptz,
  finalized        bigint not null default -1,
  treasury         text,
  version          bigint not null default 0,       -- grows with every committed page, also with an undo
  status           text not null default 'starting', -- starting | syncing | live | down | paused
  problem          text,                            -- why it is down or paused, for people
  lease_owner      text,
  lease_until      timestamptz,
  updated_at       timestamptz not null default now()
);

-- Blocks that may still be reorganised, and the newest finalized one.
create table block (
  chain_id    bigint not null,
  number      bigint not null,
  hash        text not null,
  parent_hash text not null,
  time        timestamptz not null,
  primary key (chain_id, number)
);

-- Row images from before each block, so that one transaction can undo it. Pruned at finality.
create table journal (
  chain_id     bigint not null,
  block_number bigint not null,
  seq          bigint not null,
  table_name   text not null,
  key          jsonb not null,
  before       jsonb,                               -- null: the row did not exist
  primary key (chain_id, block_number, seq)
);

create table token (
  chain_id        bigint not null,
  address         text not null,
  token_id        uuid not null,                    -- derived from the platform id (protocol: tokenIdOf)
  platform_id     text not null,
  creator         text not null,
  pool_type       integer not null,
  name            text not null,
  symbol          text not null,
  uri             text not null,
  salt            text not null,
  created_at      timestamptz not null,
  block_number    bigint not null,
  log_index       integer not null,
  tx_hash         text not null,
  -- curve state after the last trade
  virtual_tokens  numeric(78,0) not null,
  virtual_usd     numeric(78,0) not null,
  floor_usd       numeric(78,0) not null default 0,
  completed       boolean not null default false,
  -- pool state after the last trade, null before graduation
  graduated_at    timestamptz,
  graduation      jsonb,                            -- the Graduated event's fields, amounts as strings
  pool_id         text,
  sqrt_price_x96  numeric(78,0),
  liquidity       numeric(78,0),
  tick            integer,
  protocol_fee    integer not null default 0,
  -- kept as they happen
  treasury_share  numeric(78,0) not null default 0,
  trades          bigint not null default 0,
  volume_usd      numeric(78,0) not null default 0, -- gross
  holders         bigint not null default 0,
  last_trade_at   timestamptz,
  primary key (chain_id, address)
);
create unique index token_by_id on token (token_id);
create index token_by_creation on token (created_at desc);
create index token_by_creator on token (chain_id, creator);

create table trade (
  chain_id        bigint not null,
  token           text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  trader          text not null,
  recipient       text not null,
  side            text not null,                    -- buy | sell
  venue           text not null,                    -- curve | pool
  gross_usd       numeric(78,0) not null,
  tokens          numeric(78,0) not null,
  fee_bps         integer not null,
  base            numeric(78,0) not null,
  excess          numeric(78,0) not null,
  builder         text not null,
  builder_bps     integer not null,
  builder_fee     numeric(78,0) not null,
  referral        text not null,
  referrer        text not null,
  cashback        numeric(78,0) not null,
  state_a         numeric(78,0) not null,
  state_b         numeric(78,0) not null,
  tick            integer not null,
  primary key (chain_id, token, block_number, log_index)
);
create index trade_by_trader on trade (chain_id, trader, block_number desc, log_index desc);
create index trade_by_block on trade (chain_id, block_number);

create table transfer (
  chain_id        bigint not null,
  token           text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  sender          text not null,
  recipient       text not null,
  amount          numeric(78,0) not null,
  primary key (chain_id, token, block_number, log_index)
);
create index transfer_by_block on transfer (chain_id, block_number);

-- Balances of launched tokens. A row stays when the balance returns to zero, for its first_acquired.
create table balance (
  chain_id        bigint not null,
  token           text not null,
  wallet          text not null,
  amount          numeric(78,0) not null,
  first_acquired  timestamptz not null,
  updated_at      timestamptz not null,
  primary key (chain_id, token, wallet)
);
create index balance_by_wallet on balance (chain_id, wallet);

-- One row per part of a fee that somebody earned: derived from Trade, Graduated and TreasuryCollected.
create table fee_credit (
  chain_id          bigint not null,
  recipient         text not null,
  block_number      bigint not null,
  log_index         integer not null,
  part              integer not null,               -- order within the event
  id                uuid not null,                  -- derived from chain, block hash, log index and part
  block_hash        text not null,
  tx_hash           text not null,
  time              timestamptz not null,
  currency          text not null,
  amount            numeric(78,0) not null,
  distribution_type integer not null,               -- wire.md 3.3; 255 = treasury
  activity_id       integer not null,               -- wire.md 3.3
  token             text,                           -- null: no launched token
  primary key (chain_id, recipient, block_number, log_index, part)
);
create index fee_credit_by_block on fee_credit (chain_id, block_number);
create index fee_credit_by_token on fee_credit (chain_id, token, block_number);

create table fee_balance (
  chain_id              bigint not null,
  recipient             text not null,
  currency              text not null,
  earned                numeric(78,0) not null,
  claimable             numeric(78,0) not null,
  last_distribution_at  timestamptz,
  primary key (chain_id, recipient, currency)
);
create index fee_balance_by_earned on fee_balance (chain_id, earned desc);

create table withdrawal (
  chain_id        bigint not null,
  account         text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  currency        text not null,
  recipient       text not null,
  amount          numeric(78,0) not null,
  primary key (chain_id, account, block_number, log_index)
);
create index withdrawal_by_block on withdrawal (chain_id, block_number);

create table referrer (
  chain_id     bigint not null,
  trader       text not null,
  referrer     text not null,
  block_number bigint not null,
  time         timestamptz not null,
  primary key (chain_id, trader)
);

-- Slugs belong to no block: they are claimed by a draft or at the first indexing and survive a reorg.
create table token_slug (
  slug       text primary key,
  token_id   uuid not null unique,
  claimed_at timestamptz not null default now()
);
