-- What the service itself knows: people, credentials, drafts, media.

create table app_user (
  user_id    uuid primary key,
  created_at timestamptz not null default now()
);

-- Wallets of a user.
create table user_wallet (
  address    text primary key,
  user_id    uuid not null references app_user,
  created_at timestamptz not null default now()
);
create index user_wallet_by_user on user_wallet (user_id);

-- Users of foreign identity providers, who may have no wallet.
create table user_identity (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references app_user,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create table auth_challenge (
  nonce      text primary key,
  address    text not null,
  message    text not null,
  expires_at timestamptz not null
);
create index auth_challenge_by_expiry on auth_challenge (expires_at);

-- Refresh tokens by hash. A used one stays until it expires: seeing it again ends its whole family.
create table refresh_token (
  token_hash text primary key,
  family_id  uuid not null,
  user_id    uuid not null references app_user,
  used_at    timestamptz,
  expires_at timestamptz not null
);
create index refresh_token_by_family on refresh_token (family_id);

create table signing_key (
  kid         text primary key,
  private_jwk jsonb not null,
  public_jwk  jsonb not null,
  created_at  timestamptz not null default now()
);

create table api_key (
  id           text primary key,
  user_id      uuid not null references app_user,
  name         text not null,
  key_hash     text not null,
  prefix       text not null,
  scopes       text[] not null,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_key_by_user on api_key (user_id);

-- A prepared creation. Becomes visible once the chain has the token; ends after 24 hours otherwise.
create table token_draft (
  token_id           uuid primary key,
  chain_id           bigint not null,
  address            text not null,
  user_id            uuid,
  creator            text not null,
  pool_type          text not null,
  name               text not null,
  symbol             text not null,
  slug               text not null,
  description        text not null,
  token_uri          text not null,
  logo               text,
  banner             text,
  video              text,
  links              jsonb not null default '{}',
  tags               text[] not null default '{}',
  destination_chains text[] not null default '{}',
  created_at         timestamptz not null default now()
);
create index token_draft_by_address on token_draft (chain_id, address);
create index token_draft_by_age on token_draft (created_at);

-- IPFS blocks: raw CIDv1 of at most 1 MiB.
create table media_block (
  cid          text primary key,
  content_type text not null,
  bytes        bytea not null,
  created_at   timestamptz not null default now()
);
