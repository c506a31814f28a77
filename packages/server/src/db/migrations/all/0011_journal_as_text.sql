-- The journal is written with every block and read by a reorg alone. Both are JSON; as jsonb they cost the write more than twice
-- as much: docs/decisions/0066-block-to-api.md
alter table journal
  alter column key type text,
  alter column before type text;
