-- With the id, by which ties are sorted, as in the indexes of the other orders.
create index concurrently token_by_age on token (created_at desc, token_id);
