-- What api and signer share: wallets, intents, and what became of them. No unsealed key is ever in here.

-- The api asks for a wallet by a row with the user alone; the signer makes the key and fills in the rest.
create table embedded_wallet (
  user_id      uuid primary key,
  address      text unique,
  -- The private key, sealed by a key that is not in this database (keys/seal.ts).
  sealed_key   jsonb,
  requested_at timestamptz not null default now(),
  made_at      timestamptz,
  -- Set: nothing more is signed for this user.
  paused_at    timestamptz,
  check ((address is null) = (sealed_key is null))
);
create index embedded_wallet_to_make on embedded_wallet (requested_at) where address is null;

-- One row once everything is paused, for all users.
create table signing_pause (
  only_row  boolean primary key default true check (only_row),
  paused_at timestamptz not null default now(),
  reason    text not null
);

-- What a credential may spend through the embedded wallet. A credential without a row may all that its user may.
create table budget (
  credential     text primary key,
  user_id        uuid not null,
  -- US dollars with 18 decimals; null: no cap.
  per_trade_usd18 numeric(78, 0),
  per_day_usd18   numeric(78, 0),
  -- Null: every chain.
  chain_ids      bigint[],
  -- Beyond our own contracts.
  contracts      text[] not null default '{}',
  recipients     text[] not null default '{}',
  created_at     timestamptz not null default now()
);
create index budget_by_user on budget (user_id);

-- What is reserved of a day's budget, days in UTC. Reserved before signing, released when nothing was spent.
create table budget_day (
  credential     text not null,
  day            date not null,
  reserved_usd18 numeric(78, 0) not null check (reserved_usd18 >= 0),
  primary key (credential, day)
);

-- One wish of one caller: one to some transactions of one wallet on one chain, signed all together or not at all.
create table intent (
  chain_id   bigint not null,
  intent_id  uuid not null,
  user_id    uuid not null,
  wallet     text not null,
  -- Whose budget it counts in; null: an access token of the user himself.
  credential text,
  -- queued: nothing is signed. signed: bytes exist, its steps say more. refused: nothing was or will be signed.
  -- done: every step is final. failed: a step failed, finally.
  status     text not null default 'queued' check (status in ('queued', 'signed', 'refused', 'done', 'failed')),
  -- Of a refusal or failure, a code of the catalogue and a sentence.
  error_code text,
  error      text,
  -- Reserved of the credential's budget on that day.
  usd18      numeric(78, 0) not null default 0,
  budget_day date,
  -- Not signed after this: the deadline of the prepared call.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  signed_at  timestamptz,
  ended_at   timestamptz,
  primary key (chain_id, intent_id)
);
create index intent_queued on intent (chain_id, created_at) where status = 'queued';
create index intent_open on intent (chain_id, wallet) where status = 'signed';
create index intent_by_id on intent (intent_id);
create index intent_by_user on intent (user_id, created_at);
-- What a wallet's gas cost in a day.
create index intent_signed on intent (chain_id, wallet, signed_at) where signed_at is not null;

create table intent_step (
  chain_id     bigint not null,
  intent_id    uuid not null,
  step         smallint not null,
  wallet       text not null,
  to_address   text not null,
  value        numeric(78, 0) not null,
  data         text not null,
  gas_limit    bigint not null,
  description  text not null,
  nonce        bigint,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'mined', 'final', 'failed')),
  -- Of the attempt that counts: the newest, or the mined one.
  hash         text,
  block_number bigint,
  block_hash   text,
  -- Native base units that its gas has cost, known once it is mined.
  gas_paid     numeric(78, 0),
  -- Why it reverted or was given up, a code of the catalogue and a sentence. A mined step with an error fails when final.
  error_code   text,
  error        text,
  primary key (chain_id, intent_id, step),
  foreign key (chain_id, intent_id) references intent
);
-- A second payload for a nonce exists only as another attempt of the same step.
create unique index intent_step_by_nonce on intent_step (chain_id, wallet, nonce) where nonce is not null;
create index intent_step_open on intent_step (chain_id, wallet, nonce)
  where nonce is not null and status in ('queued', 'sent', 'mined');

-- Signed bytes, written before they are first sent. Attempts of one step share its nonce, unless a stranger's bytes took it.
create table attempt (
  chain_id                 bigint not null,
  hash                     text not null,
  intent_id                uuid not null,
  step                     smallint not null,
  nonce                    bigint not null,
  raw                      text not null,
  max_fee_per_gas          numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  -- A cancellation spends the nonce on nothing, once the call could only fail.
  kind                     text not null default 'call' check (kind in ('call', 'cancel')),
  signed_at                timestamptz not null default now(),
  -- Newest block when it was signed: patience is counted in blocks, because a chain may stand still.
  signed_block             bigint not null,
  sent_at                  timestamptz,
  primary key (chain_id, hash),
  foreign key (chain_id, intent_id, step) references intent_step
);
create index attempt_by_step on attempt (chain_id, intent_id, step);
create index attempt_by_hash on attempt (hash);

-- The nonces of one wallet on one chain; whoever locks the row may sign.
create table lane (
  chain_id   bigint not null,
  wallet     text not null,
  next_nonce bigint not null,
  -- When a signer last looked after its open steps: any number of signers share the turns.
  watched_at timestamptz not null default now(),
  primary key (chain_id, wallet)
);
