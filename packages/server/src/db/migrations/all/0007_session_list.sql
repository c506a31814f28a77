-- What a user needs to tell sessions apart: docs/decisions/0062-sessions.md
alter table session
  -- When its newest refresh token was issued.
  add column refreshed_at timestamptz,
  -- That signed in, lower case; null: a passkey did, or it began before this was kept.
  add column wallet text,
  -- Family of browser and system, such as 'Chrome on Linux'; null: not known.
  add column device text;
update session set refreshed_at = coalesce(
  (select max(expires_at) - interval '30 days' from refresh_token where refresh_token.session_id = session.session_id),
  created_at
);
alter table session alter column refreshed_at set not null;
