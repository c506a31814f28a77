-- Referral codes and who entered them. A code belongs to one kind of chains: mainnet or testnet.
create table referral_code (
  network    text not null check (network in ('mainnet', 'testnet')),
  code_key   text not null check (code_key = lower(code_key)),  -- what codes are compared by
  code       text not null,                                     -- as its owner wrote it
  user_id    uuid not null references app_user,
  active     boolean not null default true,                     -- an inactive one cannot be entered; who entered it before keeps it
  created_at timestamptz not null,
  primary key (network, code_key)
);
create unique index referral_code_one_active on referral_code (user_id, network) where active;

-- The code that a user entered, for good.
create table referral_entry (
  network    text not null,
  user_id    uuid not null references app_user,
  code_key   text not null,
  entered_at timestamptz not null,
  primary key (user_id, network),
  foreign key (network, code_key) references referral_code (network, code_key)
);
