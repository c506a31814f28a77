-- A graduated token's pool on Solana is the launchpad's own: what it holds after the last trade.
alter table token add column pool_tokens numeric, add column pool_usd numeric;

-- What each token account held when it was last seen, where balances lie in accounts beside the wallets.
create table token_account (
  eid      bigint not null,
  account  text not null,
  token    text not null,
  owner    text not null,
  amount   numeric not null,
  primary key (eid, account)
);

-- How many events of each account that numbers its events are in the tables.
create table event_number (
  eid      bigint not null,
  account  text not null,
  next     bigint not null,
  primary key (eid, account)
);
