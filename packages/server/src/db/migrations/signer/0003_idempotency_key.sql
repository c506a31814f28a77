-- Under which Idempotency-Key the caller asked for it: found by it when the process that asked is gone. Null: without one.
alter table intent add column idempotency_key text;
create index intent_by_key on intent (user_id, idempotency_key, created_at) where idempotency_key is not null;
