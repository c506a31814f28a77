-- The best are listed in an order of its own: docs/decisions/0079-votes.md

-- `score_usd18`, and upvotes less downvotes, when votes were last told. The indexes have these, so that a vote changes a row that no index knows.
alter table tally add column ranked_usd18 numeric(78) not null default 0;
alter table tally add column ranked_votes integer not null default 0;
update tally set ranked_usd18 = score_usd18, ranked_votes = upvotes - downvotes
  where score_usd18 <> 0 or upvotes <> downvotes;

drop index tally_of_hour;
drop index tally_best;
drop index tally_of_token;
-- Room on each page for the next version of its rows.
alter table tally set (fillfactor = 80);
-- The best of each hour, of all time and of a hub.
create index tally_of_hour on tally (target_type, (date_trunc('hour', made_at at time zone 'UTC')), ranked_usd18 desc, ranked_votes desc, made_at desc, target_id desc);
create index tally_best on tally (target_type, ranked_usd18 desc, ranked_votes desc, made_at desc, target_id desc);
create index tally_of_token on tally (token_id, ranked_usd18 desc, ranked_votes desc, made_at desc, target_id desc)
  where token_id is not null;
