-- Votes and what they weigh: docs/decisions/0079-votes.md

-- A user with the wallets that there were at a vote, which weigh it for good: a wallet that comes later adds nothing to it.
create table voter (
  voter_id  bigint generated always as identity primary key,
  user_id   uuid not null references app_user on delete cascade,
  -- In their order.
  wallets   text[] not null,
  unique (user_id, wallets)
);
create table voter_wallet (
  wallet    text not null,
  voter_id  bigint not null references voter on delete cascade,
  primary key (wallet, voter_id)
);
create index voter_wallet_by_voter on voter_wallet (voter_id);

-- One a user and target. Whoever changes it, or what it weighs, holds the target's row in `tally`.
create table vote (
  vote_id      bigint generated always as identity primary key,
  target_type  text not null,
  target_id    uuid not null,
  user_id      uuid not null references app_user on delete cascade,
  is_up        boolean not null,
  -- Whose holdings weigh it, as the next; null: nothing does.
  token_id     uuid,
  voter_id     bigint references voter on delete cascade,
  -- Base units that were held, on all chains, when it was cast.
  base         numeric(78) not null,
  -- Written by the index too: the least that was held since, `base` less what was lost on each chain, and never below 0.
  weight       numeric(78) not null,
  -- Of one whole voting token when it was cast.
  price_usd18  numeric(78) not null,
  created_at   timestamptz not null,
  unique (target_type, target_id, user_id)
);
create index vote_by_voter on vote (voter_id, token_id);
create index vote_newest on vote (target_type, target_id, created_at desc, vote_id desc);

-- Where on each chain, on which the voter ever had some, the measure of losses stood at the newest block that was indexed then.
create table vote_place (
  vote_id      bigint not null references vote on delete cascade,
  eid          bigint not null,
  start_block  bigint not null,
  -- Balances, and what was on its way between the voter's wallets; less what came from other chains, so it may be negative.
  base         numeric(78) not null,
  primary key (vote_id, eid)
);
create index vote_place_by_start on vote_place (eid, start_block);

-- Written by the index alone, of holdings that weigh votes: where a block ended with less of the measure than the one before. A vote loses what
-- lies between its `base` and the least of these since it was cast, so an undo deletes rows. One that a later final one undercuts goes.
create table vote_low (
  eid           bigint not null,
  voter_id      bigint not null,
  token_id      uuid not null,
  block_number  bigint not null,
  level         numeric(78) not null,
  primary key (voter_id, token_id, eid, block_number)
);
create index vote_low_by_block on vote_low (eid, block_number);
