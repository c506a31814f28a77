-- Tokens that an operator took out of lists, and files that are out of service: docs/decisions/0081-moderation.md

-- Its own pages, trades and holders show it on. Read whole by every list, so it has what the index knows the token by, and no more.
create table unlisted_token (
  token_id     uuid primary key,
  eid          bigint not null,
  address      text not null,
  reason       text not null,
  unlisted_at  timestamptz not null,
  unique (eid, address)
);

create table withdrawn_file (
  cid       text not null,
  -- With which token it went, and comes back.
  token_id  uuid not null references unlisted_token on delete cascade,
  primary key (cid, token_id)
);
