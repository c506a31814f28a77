-- The owner of the Launchpad can clear a user's referrer: docs/decisions/0034. Null then.
alter table referrer alter column referrer drop not null;
