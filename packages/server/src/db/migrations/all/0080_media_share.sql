-- Who brought which stored file, and how many bytes came today: docs/decisions/0097-media-quotas.md

-- Goes with the file.
create table media_share (
  -- Of the file's root.
  cid     text not null,
  user_id uuid not null,
  -- Network of the client, as allowances are counted by it.
  address text not null,
  -- Of the whole file.
  bytes   bigint not null,
  primary key (cid, user_id)
);
create index media_share_by_user on media_share (user_id) include (bytes);
create index media_share_by_address on media_share (address) include (bytes);

create table media_day (
  -- In UTC.
  day     date not null,
  -- A user's id, or an address as above.
  holder  text not null,
  bytes   bigint not null,
  primary key (day, holder)
);
