-- Indexes for feeds: docs/decisions/0078-what-people-say.md

-- In whose hub the post is; null: in none, or it is a comment or token.
alter table tally add column token_id uuid;
update tally set token_id = post.token_id from post
  where tally.target_type = 'post' and post.post_id = tally.target_id
    and post.parent_id is null and post.token_id is not null;
-- The best of a hub.
create index tally_of_token on tally (token_id, score_usd18 desc, (upvotes - downvotes) desc, made_at desc, target_id desc)
  where token_id is not null;

-- With what tells whether a post is of a token that was taken down, so the newest of an author are found in the index alone.
drop index post_listed_of_author;
create index post_listed_of_author on post (author_id, created_at desc, post_id desc) include (token_id)
  where type = 'post' and deleted_at is null and hidden_because is null;
