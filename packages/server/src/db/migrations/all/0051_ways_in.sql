-- From when a new way into an account withdraws and signs (`docs/decisions/0098-new-access.md`); null: from its making.
alter table user_wallet add column acts_from timestamptz;
alter table passkey add column acts_from timestamptz;
alter table api_key add column acts_from timestamptz;
alter table refresh_token add column acts_from timestamptz;
-- Wallets that sign in to an account no more. What they earn goes on counting for it.
create table unlinked_wallet (
  address text primary key,
  user_id uuid not null references app_user on delete cascade,
  unlinked_at timestamptz not null
);
create index unlinked_wallet_user on unlinked_wallet (user_id);
-- Accounts that an operator froze: no sign-in, no signature, no webhook. `frozen_by` is null at the command line.
create table account_freeze (
  user_id uuid primary key references app_user on delete cascade,
  frozen_by uuid,
  frozen_at timestamptz not null
);
