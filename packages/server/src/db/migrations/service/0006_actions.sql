-- Signed actions that were taken, so that none is taken twice. A row may go once its signature has expired.
create table signed_action (
  wallet      text not null,
  nonce       bigint not null,
  action_hash text not null,
  expires_at  timestamptz not null,
  primary key (wallet, nonce, action_hash)
);
create index signed_action_by_expiry on signed_action (expires_at);
