-- Files that are kept only while something refers to them: docs/decisions/0078-what-people-say.md

-- Every other file stays for good.
create table loose_file (
  cid         text primary key,
  -- Null: something referred to it when last looked, and nobody has let go of it since.
  swept_from  timestamptz,
  -- Of a file in several blocks, which refers to the others, each of which has a row of its own.
  parts       text[] not null default '{}'
);
create index loose_file_by_time on loose_file (swept_from) where swept_from is not null;
