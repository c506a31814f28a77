-- What tokens are found by, one row a token: docs/decisions/0092-search-at-a-million.md

-- Any case and any normal form of Unicode are the same.
create function search_fold(written text) returns text language sql immutable parallel safe
  return lower(normalize(written, NFC));

-- Every one, two and three characters in a row.
create function search_letters(words text) returns text[] language sql immutable parallel safe
  return array(select distinct part from (
    select unnest(array[a, a || b, a || b || c]) as part
    from (select a, lead(a) over () as b, lead(a, 2) over () as c from string_to_table(words, null) a) letters) parts
  where part is not null);

-- Dear, so that the database never reckons it for every row of the table.
create function search_terms(words text, labels text[]) returns text[] language sql immutable parallel safe cost 10000
  return search_letters(words) || array(select chr(2) || label from unnest(labels) label);

create table token_search (
  token_id  uuid primary key,
  eid       bigint not null,
  address   text not null,
  -- Folded name, symbol and description, with chr(1) between them.
  words     text not null,
  -- c and the eid of its home, b and its builder, t and each of its tags.
  labels    text[] not null,
  unique (eid, address)
);

-- How a token is found; no row without the token.
create function search_row(sought uuid) returns setof token_search language sql stable begin atomic
  select token.token_id, token.eid, token.address,
    search_fold(token.name) || chr(1) || search_fold(token.symbol) || chr(1) || coalesce(search_fold(draft.description), ''),
    array['c' || token.eid] || array(select 'b' || draft.builder where draft.builder is not null)
      || array(select 't' || tag from unnest(draft.tags) tag)
  from token left join token_draft draft on draft.token_id = token.token_id
  where token.token_id = sought;
end;

insert into token_search select found.* from token, search_row(token.token_id) found;
