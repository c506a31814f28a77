-- What people say in half a year, made in the tables of the service. Every draw is a hash of its number, so each run makes the same rows.
-- Before this file: the temporary table `size` (users, tokens, posts, votes, ends_at, eid).

set synchronous_commit = off;
set work_mem = '256MB';
set maintenance_work_mem = '1GB';

create function pg_temp.address(kind text, number bigint) returns text immutable language sql as
  $$ select '0x' || left(encode(sha256((kind || number)::bytea), 'hex'), 40) $$;
create function pg_temp.id(kind text, number bigint) returns uuid immutable language sql as $$ select md5(kind || number)::uuid $$;

-- Keys and indexes of the large tables are made after the rows; nothing of it needs to survive a crash.
create temp table later (line text, place int);
do $$
declare big text; made record;
begin
  foreach big in array array['vote_place', 'vote', 'tally', 'post'] loop
    for made in select conname, conrelid::regclass as name, pg_get_constraintdef(oid) as rule, contype from pg_constraint
        where (conrelid = big::regclass or confrelid = big::regclass) and contype in ('p', 'u', 'f')
        order by contype loop
      insert into later values (format('alter table %s add constraint %I %s', made.name, made.conname,
        made.rule || case when made.contype = 'f' then ' not valid' else '' end), case when made.contype = 'f' then 2 else 0 end);
      execute format('alter table %s drop constraint %I cascade', made.name, made.conname);
    end loop;
    for made in select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as rule from pg_index
        where indrelid = big::regclass loop
      insert into later values (made.rule, 1);
      execute format('drop index %s', made.name);
    end loop;
  end loop;
end $$;

insert into app_user (user_id) select pg_temp.id('user', n) from size, generate_series(0, users - 1) n;
insert into user_wallet (address, user_id) select pg_temp.address('wallet', n), pg_temp.id('user', n) from size, generate_series(0, users - 1) n;
insert into username (skeleton, username, user_id, taken_at)
  select 'user' || n, 'user' || n, pg_temp.id('user', n), ends_at from size, generate_series(0, users - 1, 2) n;

insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at, block_number,
    log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18)
  select eid, pg_temp.address('token', k), pg_temp.id('token', k), pg_temp.address('platform', k), pg_temp.address('wallet', k), 7,
    'Token ' || k, 'T' || k, '', '0x', ends_at - interval '180 days', 1, k, '0x', 1e27, 1e10, 1e15, 1e15
  from size, generate_series(0, tokens - 1) k;
insert into token_slug (slug, token_id) select 'token-' || k, pg_temp.id('token', k) from size, generate_series(0, tokens - 1) k;
-- Of each token the users who vote by it hold some: the first hold the most.
insert into balance (eid, token, wallet, amount, first_acquired, updated_at)
  select distinct eid, pg_temp.address('token', k), pg_temp.address('wallet', n), 1e24, ends_at, ends_at
  from size, generate_series(0, tokens - 1) k, lateral (select distinct pg_temp.zipf(i * 7919 + k, 3, users) n from generate_series(0, 199) i) held;

insert into user_follow (user_id, followed_id, created_at)
  select distinct on (1, 2) pg_temp.id('user', a), pg_temp.id('user', b), ends_at - pg_temp.uniform(i, 5) * interval '180 days'
  from size, generate_series(0, users * 10 - 1) i,
    lateral (select pg_temp.zipf(i, 4, users) b, floor(pg_temp.uniform(i, 6) * users)::bigint a) pair
  where a <> b;

-- Two of five are comments, on one of the posts shortly before.
insert into post (post_id, type, author_id, text, hashtags, token_id, parent_id, root_id, created_at)
  select pg_temp.id('post', i), case when is_comment then 'comment' else 'post' end, pg_temp.id('user', pg_temp.zipf(i, 7, users)),
    'Said for the ' || i || 'th time, as people do.', case when i % 20 = 0 then array['tag' || i % 500] else '{}' end,
    case when pg_temp.uniform(about, 8) < 0.7 then pg_temp.id('token', pg_temp.zipf(about, 9, tokens)) end,
    case when is_comment then pg_temp.id('post', about) end, case when is_comment then pg_temp.id('post', about) end,
    ends_at - interval '180 days' * (1 - (i + 1)::double precision / posts)
  from size, generate_series(0, posts - 1) i,
    lateral (select i >= 10 and i % 5 in (3, 4) as is_comment) kind,
    lateral (select case when is_comment then (i / 5 - floor(pg_temp.uniform(i, 10) * least(i / 5, 2000))::bigint) * 5 else i end as about) said;

insert into post_hashtag (hashtag, created_at, post_id)
  select hashtag, created_at, post_id from post, unnest(hashtags) hashtag where parent_id is null;

insert into voter (user_id, wallets) select user_id, array[address] from user_wallet;
insert into voter_wallet (wallet, voter_id) select wallets[1], voter_id from voter;

create temp table voting as select voter_id, user_id, row_number() over (order by user_id) - 1 as n from voter;
alter table voting add primary key (n);

-- As many on each post, by users who are far apart in their list; weighed where the post has a token.
insert into vote (target_type, target_id, user_id, is_up, token_id, voter_id, base, weight, price_usd18, created_at)
  select 'post', post_id, voting.user_id, pg_temp.uniform(i, 13) < 0.8, token_id, case when token_id is not null then voter_id end,
    weight, weight, case when token_id is null then 0 else 1e15 end, created_at + pg_temp.uniform(i, 15) * interval '1 day'
  from size cross join (select post_id, token_id, created_at, row_number() over (order by created_at) as nth from post) about
  cross join lateral (select votes / posts as each) per
  cross join lateral generate_series(0, each - 1) k
  cross join lateral (select nth * 16 + k as i, (floor(pg_temp.uniform(nth, 12) * users)::bigint + k * (users / each)) % users as n) who
  cross join lateral (select case when token_id is null then 0 else floor((1e24 * pg_temp.uniform(i, 14) ^ 4)::numeric) end as weight) held
  join voting on voting.n = who.n;

-- One user whose votes on a thousand posts of the first token all stand on what the user holds of it.
delete from vote using voting, size where vote.user_id = voting.user_id and voting.n = users - 1;
insert into vote (target_type, target_id, user_id, is_up, token_id, voter_id, base, weight, price_usd18, created_at)
  select 'post', post_id, user_id, true, token_id, voter_id, 1e24, 1e24, 1e15, ends_at
  from size, (select post_id, token_id from post where token_id = pg_temp.id('token', 0) order by created_at limit 1000) about,
    (select user_id, voter_id from voting where n = (select users - 1 from size)) one;

insert into vote_place (vote_id, eid, start_block, base) select vote_id, eid, 300000, base from vote, size where token_id is not null;

insert into tally (target_type, target_id, token_id, made_at, upvotes, downvotes, up_weight, down_weight, score_usd18, ranked_usd18, ranked_votes)
  select 'post', post_id, case when parent_id is null then token_id end, post.created_at, coalesce(up, 0), coalesce(down, 0), coalesce(up_weight, 0), coalesce(down_weight, 0),
    coalesce(score, 0), coalesce(score, 0), coalesce(up, 0) - coalesce(down, 0)
  from post left join (
    select target_id, count(*) filter (where is_up) as up, count(*) filter (where not is_up) as down,
      sum(weight) filter (where is_up) as up_weight, sum(weight) filter (where not is_up) as down_weight,
      sum((case when is_up then 1 else -1 end) * div(weight * price_usd18, 1e18)) as score
    from vote group by 1) voted on target_id = post_id;

update post set comments_count = counted.of_post
  from (select parent_id, count(*) as of_post from post where parent_id is not null group by 1) counted where post_id = counted.parent_id;
insert into hub (token_id, posts_count, media_count, last_post_at, created_at)
  select token_id, count(*), 0, max(created_at), min(created_at) from post where token_id is not null group by 1;

do $$
declare made record;
begin
  for made in select line from later order by place, line loop
    execute made.line;
  end loop;
end $$;
