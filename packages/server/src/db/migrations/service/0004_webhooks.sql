-- Webhooks: a place in a stream per webhook, moved forward by deliveries. docs/decisions/0015-webhooks.md

create table webhook (
  id                 text primary key,
  user_id            uuid not null references app_user,
  url                text not null,
  origin             text not null,                     -- of the url: attempts at once are bounded per origin
  topic              text not null,
  filter             jsonb not null,                    -- StreamFilter
  cursor             bigint not null,                   -- every event up to here is delivered or does not match
  status             text not null default 'active',    -- active | failing | disabled
  attempts           bigint not null default 0,         -- numbers the log
  failures           integer not null default 0,        -- since the last success
  failing_since      timestamptz,
  last_success_at    timestamptz,
  last_error         text,
  next_attempt_at    timestamptz not null,
  lease_owner        uuid,                              -- who delivers it now; by the database's clock
  lease_until        timestamptz not null default now(),
  created_at         timestamptz not null
);
create index webhook_by_user on webhook (user_id, created_at);
create index webhook_by_due on webhook (next_attempt_at) where status <> 'disabled';

-- Apart from the rest, so that only who signs reads it. Keys in base64.
create table webhook_secret (
  webhook_id     text primary key references webhook on delete cascade,
  secret         text not null,
  previous       text,
  previous_until timestamptz
);

-- The delivery log; the newest 10,000 attempts per webhook.
create table webhook_attempt (
  webhook_id      text not null references webhook on delete cascade,
  number          bigint not null,
  seq             bigint not null,
  attempt         integer not null,
  cause           text not null,                        -- stream | redelivery
  response_code   integer,
  error           text,                                 -- null: delivered
  duration_ms     integer not null,
  at              timestamptz not null,
  next_attempt_at timestamptz,
  primary key (webhook_id, number)
);
create index webhook_attempt_by_event on webhook_attempt (webhook_id, seq, number);
