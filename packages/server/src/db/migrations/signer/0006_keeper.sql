-- What the keeper calls `graduate` for: one row a token, so that of any number of signers one asks, and not twice at a time.
create table keeper_task (
  chain_id  bigint not null,
  token     text not null,
  -- The newest try.
  intent_id uuid not null,
  tries     integer not null,
  tried_at  timestamptz not null default now(),
  primary key (chain_id, token)
);
-- Looked through every few seconds, and nearly always empty.
create index token_to_graduate on token (chain_id) where completed and graduated_at is null;
