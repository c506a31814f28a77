-- An indexer with an account of its own owns no table: its months are made and dropped with the rights of the owner.
-- `npm run admin -- accounts` says who may call them, and where they look for tables.
alter function make_month(timestamptz) security definer set search_path from current;

-- Drops the parts whose months end by a moment.
create function drop_months(before timestamptz) returns void language plpgsql security definer set search_path from current as $$
declare
  part text;
begin
  for part in
    select child.relname
    from unnest(array['trade', 'transfer', 'fee_credit']) whole
    join pg_inherits on inhparent = to_regclass(whole) join pg_class child on child.oid = inhrelid
    where child.relname < whole || to_char(before at time zone 'UTC', '_YYYY_MM')
  loop
    execute format('drop table %I', part);
  end loop;
end $$;
