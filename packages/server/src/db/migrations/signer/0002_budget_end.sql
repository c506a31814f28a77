-- Set when the credential was revoked: what it still has queued is refused. A credential that never had a budget gets a
-- row for this too.
alter table budget add column ended_at timestamptz;
-- Of an order's fee for whoever built the caller's app; basis points of the gross amount.
alter table budget add column max_builder_bps integer not null default 100 check (max_builder_bps between 0 and 10000);
