-- Look-ups of the reads that no key serves: who referred whom, and tokens by what a person types.
create index referrer_by_referrer on referrer (chain_id, referrer);
create index token_by_symbol on token (lower(symbol));
create index token_by_name on token (lower(name));
