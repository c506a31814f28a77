-- Rows that say who may act for a user: each carries a seal of the API (`rowSeals.ts`), without which it gives no access.
alter table user_wallet add column seal text;
alter table user_identity add column seal text;
alter table passkey add column seal text;
alter table api_key add column seal text;
alter table refresh_token add column seal text;
alter table oauth_item add column seal text;
alter table oauth_grant add column seal text;
alter table signing_key add column seal text;
alter table budget add column seal text;
