-- A challenge says who is signed in by its answer: sealed as the rows that give access (`rowSeals.ts`).
alter table auth_challenge add column seal text;
alter table passkey_challenge add column seal text;
