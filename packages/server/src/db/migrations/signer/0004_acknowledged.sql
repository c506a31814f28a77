-- Figures that the caller repeated, and that are signed only because of it: {"builderFeeBps", "limitRaw", "approvalRaw"}.
alter table intent add column acknowledged jsonb;
-- Newest block by which the wish was made: an index that is older does not refuse it.
alter table intent add column seen_block bigint;
