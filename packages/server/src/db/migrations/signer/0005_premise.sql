-- The state that an intent's steps were made from, so that the signer can ask again whether it was so (`Premise` in db.ts).
-- Null: they were made from none.
alter table intent add column premise jsonb;
