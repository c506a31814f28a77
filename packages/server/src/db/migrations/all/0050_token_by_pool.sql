create index concurrently token_by_pool on token (pool_id) where pool_id is not null;
