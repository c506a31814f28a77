-- What lists of tokens filter by: the builder that a token was created through, its tags, and words of its description.
create extension if not exists pg_trgm;

alter table token_draft add column builder text; -- address; null: none
create index token_draft_by_builder on token_draft (builder) where builder is not null;
create index token_draft_by_tag on token_draft using gin (tags);
create index token_draft_by_description on token_draft using gin (lower(description) gin_trgm_ops);
