-- Profiles: docs/decisions/0077-people.md

-- Names of users. Two that look alike have one skeleton, and only one of them is ever taken.
create table username (
  skeleton   text primary key,
  -- Small letters, digits and _.
  username   text not null unique,
  user_id    uuid not null unique references app_user on delete cascade,
  taken_at   timestamptz not null
);

-- A user who has changed nothing has no row.
create table profile (
  user_id         uuid primary key references app_user on delete cascade,
  display_name    text,
  bio             text,
  -- Web address, as the next; null: none.
  profile_picture text,
  banner_url      text,
  links           jsonb not null default '{}',
  show_wallet     boolean not null default true,
  show_holdings   boolean not null default false,
  updated_at      timestamptz not null
);
