-- Nothing is planned by them, and to take them the terms of many thousand tokens would be made again and again.
alter index token_search_by_terms alter column 1 set statistics 0;
