-- Whatever writes a token or its draft keeps its row of `token_search`, processes of before too.
-- With the rights of its owner: who may write a token writes this row by it alone.
create function keep_token_search() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into token_search select * from search_row(new.token_id)
  on conflict (token_id) do update set words = excluded.words, labels = excluded.labels
    where (token_search.words, token_search.labels) is distinct from (excluded.words, excluded.labels);
  return null;
end $$;
create function drop_token_search() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from token_search where token_id = old.token_id;
  return null;
end $$;

create trigger token_search_of_token after insert on token for each row execute function keep_token_search();
create trigger token_search_of_draft after insert or update of description, tags, builder on token_draft
  for each row execute function keep_token_search();
create trigger token_search_ends after delete on token for each row execute function drop_token_search();

-- Tokens that came meanwhile.
insert into token_search select found.* from token, search_row(token.token_id) found
  where not exists (select from token_search where token_search.token_id = token.token_id);
