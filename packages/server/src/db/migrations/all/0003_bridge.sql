-- Tokens across chains: docs/decisions/0045. Each chain keeps what its own bridge did; the two ends of a message meet when
-- they are read, by the route, the nonce, the recipient, the amount and the token.

-- A token whose home is another chain, on the chain of `eid`.
create table remote_token (
  eid             bigint not null,
  address         text not null,
  home_eid        bigint not null,
  token_id        uuid not null,
  platform_id     text not null,
  creator         text not null,
  salt            text not null,
  name            text not null,
  symbol          text not null,
  registered_at   timestamptz not null,
  block_number    bigint not null,
  log_index       integer not null,
  tx_hash         text not null,
  supply          numeric(78,0) not null,
  holders         bigint not null,
  primary key (eid, address)
);
create index remote_token_by_token on remote_token (token_id);

create table bridge_sent (
  eid             bigint not null,
  token           text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  dst_eid         bigint not null,
  nonce           bigint not null,
  guid            text not null,
  sender          text not null,
  recipient       text not null,
  amount          numeric(78,0) not null,
  native_fee      numeric(78,0) not null,
  registers       boolean not null,
  primary key (eid, token, block_number, log_index)
);
create index bridge_sent_by_block on bridge_sent (eid, block_number);
create index bridge_sent_by_nonce on bridge_sent (eid, dst_eid, nonce);
create index bridge_sent_registering on bridge_sent (eid, token) where registers;
create index bridge_sent_by_guid on bridge_sent (guid);
create index bridge_sent_by_tx on bridge_sent (tx_hash);
create index bridge_sent_by_sender on bridge_sent (sender, time desc);

create table bridge_received (
  eid             bigint not null,
  token           text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  src_eid         bigint not null,
  nonce           bigint not null,
  guid            text not null,
  recipient       text not null,
  amount          numeric(78,0) not null,
  primary key (eid, token, block_number, log_index)
);
create index bridge_received_by_block on bridge_received (eid, block_number);
create index bridge_received_by_nonce on bridge_received (src_eid, eid, nonce);
create index bridge_received_by_recipient on bridge_received (recipient, time desc);

create table bridge_announced (
  eid             bigint not null,
  token           text not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  dst_eid         bigint not null,
  nonce           bigint not null,
  guid            text not null,
  native_fee      numeric(78,0) not null,
  primary key (eid, token, block_number, log_index)
);
create index bridge_announced_by_block on bridge_announced (eid, block_number);
create index bridge_announced_by_guid on bridge_announced (guid);

-- Deliveries that failed. Anyone can have the endpoint say so: a hint, which a reader checks against the chain.
create table bridge_alert (
  eid             bigint not null,
  src_eid         bigint not null,
  nonce           bigint not null,
  block_number    bigint not null,
  log_index       integer not null,
  block_hash      text not null,
  tx_hash         text not null,
  time            timestamptz not null,
  guid            text not null,
  reason          text not null,
  primary key (eid, src_eid, nonce, block_number, log_index)
);
create index bridge_alert_by_block on bridge_alert (eid, block_number);
