-- OAuth 2.1 for the tool server. docs/decisions/0029-oauth.md

-- What the authorization server keeps: clients, flows, codes, grants, refresh tokens. An id that is a secret (a code, a
-- refresh token) is here as its SHA-256 only.
create table oauth_item (
  model       text not null,
  id_hash     text not null,
  payload     jsonb not null,
  -- What goes when the grant goes.
  grant_id    text,
  consumed_at timestamptz,
  -- Null: kept until it is deleted.
  expires_at  timestamptz,
  primary key (model, id_hash)
);
create index oauth_item_by_grant on oauth_item (grant_id) where grant_id is not null;
create index oauth_item_by_end on oauth_item (expires_at) where expires_at is not null;

-- What a user allowed an application, for the user to see and to end. What it may spend is in `budget`, under its id.
create table oauth_grant (
  grant_id      text primary key,
  user_id       uuid not null references app_user,
  client_id     text not null,
  -- As the application calls itself: nobody checked it.
  client_name   text not null,
  redirect_host text not null,
  scopes        text[] not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  revoked_at    timestamptz,
  last_used_at  timestamptz
);
create index oauth_grant_by_user on oauth_grant (user_id, created_at);
