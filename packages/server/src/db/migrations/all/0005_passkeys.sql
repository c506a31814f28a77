-- Signing in by passkey, and linking wallets to an account: docs/decisions/0057-passkeys.md

create table passkey (
  -- As its authenticator made it, base64url.
  credential_id text primary key,
  user_id       uuid not null references app_user,
  name          text not null,
  -- COSE.
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  synced        boolean not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkey_by_user on passkey (user_id, created_at);

create table passkey_challenge (
  challenge  text primary key,
  -- 'register' or 'login'.
  purpose    text not null,
  -- Of 'register': whose passkey it will be. Of a new account, which does not exist before it is registered.
  user_id    uuid,
  is_new     boolean not null,
  -- The OAuth flow that it belongs to; null: the web app.
  flow       text,
  expires_at timestamptz not null
);
create index passkey_challenge_by_expiry on passkey_challenge (expires_at);

-- A session that a passkey began ends with it.
alter table session add column passkey_id text references passkey on delete cascade;
create index session_by_passkey on session (passkey_id) where passkey_id is not null;

-- The account that a text links its wallet to; null: a text to sign in with.
alter table auth_challenge add column user_id uuid;
