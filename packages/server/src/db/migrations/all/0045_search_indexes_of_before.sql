-- `token_search` finds by words, tags and builder, and `token_by_age` has this order. The first of them was written at every trade.
drop index token_by_words;
drop index token_draft_by_description;
drop index token_draft_by_tag;
drop index token_draft_by_builder;
drop index token_by_creation;
