-- Writes that came with an Idempotency-Key. The row is there before anything is done.
create table idempotent_call (
  user_id     uuid not null references app_user,
  key         text not null,
  operation   text not null,
  input_hash  text not null,
  started_at  timestamptz not null default now(),
  finished_at timestamptz,
  answer      text,                -- JSON; null also when it holds a secret that is shown once
  primary key (user_id, key)
);
create index idempotent_call_by_age on idempotent_call (started_at);
