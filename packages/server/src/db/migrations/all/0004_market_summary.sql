-- Counts of a chain's tokens, by stage and of the last day, without reading the rows themselves.
create index token_by_chain on token (eid, created_at desc) include (stage);
