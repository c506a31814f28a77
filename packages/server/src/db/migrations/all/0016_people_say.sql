-- What people say to each other: docs/decisions/0078-what-people-say.md

-- Whoever is suspended says nothing more, and trades and claims as before.
alter table app_user add column suspended_because text;
alter table app_user add column followers_count integer not null default 0;
alter table app_user add column following_count integer not null default 0;
-- Without comments.
alter table app_user add column posts_count integer not null default 0;

create table user_follow (
  user_id      uuid not null references app_user on delete cascade,
  followed_id  uuid not null references app_user on delete cascade,
  created_at   timestamptz not null,
  primary key (user_id, followed_id)
);
create index user_follow_by_follower on user_follow (user_id, created_at desc, followed_id);
create index user_follow_by_followed on user_follow (followed_id, created_at desc, user_id);

create table user_block (
  user_id     uuid not null references app_user on delete cascade,
  blocked_id  uuid not null references app_user on delete cascade,
  created_at  timestamptz not null,
  primary key (user_id, blocked_id)
);
create index user_block_by_blocked on user_block (blocked_id, user_id);

-- One a token: where people speak of it. A token of which nobody has spoken has no row.
create table hub (
  token_id       uuid primary key,
  -- Null: that of the token, as the next.
  description    text,
  banner_url     text,
  rules          text,
  invite_only    boolean not null default false,
  post_rule      text not null default 'anyone',
  -- Base units of the token.
  min_holding    numeric(78),
  members_count  integer not null default 0,
  -- With comments, without what is deleted or hidden, as the next.
  posts_count    integer not null default 0,
  media_count    integer not null default 0,
  last_post_at   timestamptz,
  created_at     timestamptz not null
);
create index hub_by_posts on hub (posts_count desc, created_at desc, token_id);
create index hub_by_members on hub (members_count desc, token_id);
create index hub_by_activity on hub (last_post_at desc nulls last, token_id);

-- The owner, who is the token's creator, is a member without a row.
create table hub_member (
  token_id   uuid not null,
  user_id    uuid not null references app_user on delete cascade,
  role       text not null,
  joined_at  timestamptz not null,
  primary key (token_id, user_id)
);
create index hub_member_by_user on hub_member (user_id, token_id);
create index hub_member_by_time on hub_member (token_id, joined_at desc, user_id);
create index hub_member_moderators on hub_member (token_id, joined_at desc, user_id) where role = 'moderator';

create table hub_ban (
  token_id   uuid not null,
  user_id    uuid not null references app_user on delete cascade,
  -- Null: for good.
  until      timestamptz,
  banned_at  timestamptz not null,
  primary key (token_id, user_id)
);

create table hub_invite (
  -- SHA-256 of its text, hex.
  invite_hash  text primary key,
  token_id     uuid not null,
  uses_left    integer not null,
  expires_at   timestamptz,
  made_by      uuid not null references app_user on delete cascade,
  created_at   timestamptz not null
);
create index hub_invite_by_token on hub_invite (token_id);

create table post (
  post_id         uuid primary key,
  type            text not null,
  -- Null: of the launch of a token whose creator never signed in here.
  author_id       uuid references app_user on delete cascade,
  -- Empty once it is deleted, as the next three.
  text            text not null,
  media           jsonb not null default '[]',
  entities        jsonb not null default '[]',
  hashtags        text[] not null default '{}',
  -- The token that it speaks of, in whose hub it therefore is.
  token_id        uuid,
  -- Of a comment.
  parent_id       uuid references post on delete cascade,
  root_id         uuid references post on delete cascade,
  -- Base units of the token that the author held when posting; null: no token.
  author_holds    numeric(78),
  comments_count  integer not null default 0,
  pinned          boolean not null default false,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  -- When the newest comment on it was made, deleted ones too: the next one is later.
  last_comment_at timestamptz,
  hidden_because  text
);
create index post_newest on post (created_at desc, post_id desc)
  where parent_id is null and deleted_at is null and hidden_because is null;
create index post_of_token on post (token_id, created_at desc, post_id desc)
  where parent_id is null and deleted_at is null and hidden_because is null;
create index post_of_author on post (author_id, created_at desc, post_id desc);
-- For what is deleted: the database looks for what is below it.
create index post_of_root on post (root_id) where root_id is not null;
create index post_of_parent on post (parent_id, created_at, post_id) where parent_id is not null;
create index post_listed_of_author on post (author_id, created_at desc, post_id desc)
  where type = 'post' and deleted_at is null and hidden_because is null;
create index post_with_media on post (created_at desc, post_id desc)
  where parent_id is null and deleted_at is null and hidden_because is null and media <> '[]';
create index post_with_media_of_token on post (token_id, created_at desc, post_id desc)
  where parent_id is null and deleted_at is null and hidden_because is null and media <> '[]';
-- One a token.
create unique index post_launch on post (token_id) where type = 'launch';
create unique index post_pinned on post (token_id) where pinned;

-- Posts that lists show, by tag.
create table post_hashtag (
  hashtag     text not null,
  created_at  timestamptz not null,
  post_id     uuid not null references post on delete cascade,
  primary key (hashtag, created_at, post_id)
);
create index post_hashtag_of_post on post_hashtag (post_id);

create table post_report (
  post_id      uuid not null references post on delete cascade,
  user_id      uuid not null references app_user on delete cascade,
  reason       text not null,
  note         text,
  created_at   timestamptz not null,
  -- By an operator; null: it waits.
  resolved_at  timestamptz,
  primary key (post_id, user_id)
);
create index post_report_waiting on post_report (created_at) where resolved_at is null;

-- What operators and moderators did, and why; never changed.
create table moderation (
  id       bigint generated always as identity primary key,
  at       timestamptz not null,
  -- Null: an operator at the command line.
  user_id  uuid references app_user on delete cascade,
  action   text not null,
  -- What it was done to: id of a post, user, token or file.
  target   text not null,
  reason   text
);

-- Votes on a token or post, counted. A post has a row while lists show it.
create table tally (
  target_type   text not null,
  target_id     uuid not null,
  -- When the post was written, or the token created.
  made_at       timestamptz not null,
  upvotes       integer not null default 0,
  downvotes     integer not null default 0,
  -- Base units of the tokens that weigh the votes.
  up_weight     numeric(78) not null default 0,
  down_weight   numeric(78) not null default 0,
  -- Up less down, by the price of the voting token when each vote was cast.
  score_usd18   numeric(78) not null default 0,
  primary key (target_type, target_id)
);
-- The best of each hour, and of all time.
create index tally_of_hour on tally (target_type, (date_trunc('hour', made_at at time zone 'UTC')), score_usd18 desc, (upvotes - downvotes) desc, made_at desc, target_id desc);
create index tally_best on tally (target_type, score_usd18 desc, (upvotes - downvotes) desc, made_at desc, target_id desc);
