-- What users are told: docs/decisions/0082-notifications.md

-- What happened in the service and nobody was told of yet. It is written in the transaction that it happens in; who tells takes rows away.
create table happening (
  happening_id  bigint generated always as identity primary key,
  -- post | votes | notification
  kind          text not null,
  data          jsonb not null,
  at            timestamptz not null default now()
);
-- Votes wait for their second, and may be many.
create index happening_first on happening (happening_id) where kind <> 'votes';

-- How far users were told; whoever tells locks the row.
create table teller (
  only_row    boolean primary key default true check (only_row),
  -- Number of the newest event of `tokenActivity` that users were told of.
  seq         bigint not null,
  votes_at    timestamptz not null default now(),
  intents_at  timestamptz not null default now(),
  -- The newest day (UTC) whose fees users were told of.
  fees_day    date not null default (now() at time zone 'UTC')::date - 1
);

create table notification (
  notification_id  uuid primary key default gen_random_uuid(),
  user_id          uuid not null references app_user on delete cascade,
  -- Number of its newest event in the stream `notifications`.
  seq              bigint not null default 0,
  type             text not null,
  -- Names it among those of the user: what is told under the same key is told once, or adds to it.
  key              text not null,
  created_at       timestamptz not null,
  read_at          timestamptz,
  -- What it told did not happen, or is not there any more; nobody sees it.
  retracted_at     timestamptz,
  actor_id         uuid references app_user on delete cascade,
  token_id         uuid,
  post_id          uuid,
  amount_usd18     numeric(78),
  eid              bigint,
  tx_hash          text,
  -- Which of a type's sentences it has, and a day; null: the type has one.
  detail           text,
  unique (user_id, key)
);
create index notification_newest on notification (user_id, seq desc) where retracted_at is null;
create index notification_unread on notification (user_id) where read_at is null and retracted_at is null;
create index notification_by_post on notification (post_id) where post_id is not null;
create index notification_by_actor on notification (actor_id) where actor_id is not null;
create index notification_by_time on notification (created_at);

-- Events of `tokenActivity` by number that a notification tells, so that it takes back what a reorg takes back.
create table notification_part (
  event_seq        bigint not null,
  notification_id  uuid not null references notification on delete cascade,
  amount_usd18     numeric(78) not null,
  primary key (event_seq, notification_id)
);
create index notification_part_by_notification on notification_part (notification_id);

-- What a user has said about a type; without a row it is as the type is at first.
create table notification_setting (
  user_id  uuid not null references app_user on delete cascade,
  type     text not null,
  is_on    boolean not null,
  primary key (user_id, type)
);

-- Browsers that are told by Web Push.
create table push_subscription (
  endpoint    text primary key,
  user_id     uuid not null references app_user on delete cascade,
  -- base64url, as the browser made them.
  p256dh      text not null,
  auth        text not null,
  created_at  timestamptz not null,
  -- When the first push failed since the last one that went; null: none did. After three days it is forgotten.
  failing_since  timestamptz,
  -- It ends with this session, in which it was made; null: it was made by a key, or signed in elsewhere.
  session_id  uuid references session on delete cascade
);
create index push_subscription_by_session on push_subscription (session_id) where session_id is not null;
create index push_subscription_by_user on push_subscription (user_id, created_at);

-- The key that this service proves itself with to the push services of browsers (VAPID); one, since browsers subscribe with it.
create table push_key (
  only_row    boolean primary key default true check (only_row),
  -- base64url of the uncompressed point.
  public_key  text not null,
  sealed_key  jsonb not null
);
