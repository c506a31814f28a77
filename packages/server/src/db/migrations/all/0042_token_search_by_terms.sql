-- Without a list of what is to be added, which every search would have to read.
create index concurrently token_search_by_terms on token_search using gin (search_terms(words, labels)) with (fastupdate = off);
