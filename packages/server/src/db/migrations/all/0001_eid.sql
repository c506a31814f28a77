-- Chains are known by their LayerZero endpoint id from here on: every chain has one, Solana has no EIP-155 id. Runs last, so
-- it renames the column in the tables of all three folders. No id of one kind is an id of the other.

create temporary table eid_of (chain_id bigint primary key, eid bigint not null) on commit drop;
insert into eid_of (chain_id, eid) values
  (42161, 30110), (8453, 30184), (84532, 40245), (43114, 30106), (204, 30202), (56, 30102), (97, 40102), (1, 30101),
  (143, 30390), (130, 30320), (1301, 40333), (2741, 30324), (137, 30109), (324, 30165), (300, 40305);

alter table attempt drop constraint attempt_chain_id_intent_id_step_fkey;
alter table intent_step drop constraint intent_step_chain_id_intent_id_fkey;

do $$
declare
  name text;
begin
  for name in
    select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'chain_id' and t.table_type = 'BASE TABLE'
    order by c.table_name
  loop
    execute format('alter table %I rename column chain_id to eid', name);
    execute format('update %I as row set eid = eid_of.eid from eid_of where row.eid = eid_of.chain_id', name);
  end loop;
end $$;

alter table intent_step add foreign key (eid, intent_id) references intent;
alter table attempt add foreign key (eid, intent_id, step) references intent_step;

-- Images of rows from before a block, by which an undo puts them back.
update journal set
  key = (key - 'chain_id') || jsonb_build_object('eid', journal.eid),
  before = (before - 'chain_id') || jsonb_build_object('eid', journal.eid);

alter table budget rename column chain_ids to eids;
update budget set eids = (
  select coalesce(array_agg(coalesce(eid_of.eid, id) order by place), '{}')
  from unnest(eids) with ordinality as listed (id, place) left join eid_of on eid_of.chain_id = id
) where eids is not null;
