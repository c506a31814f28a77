-- All that the value of a wallet needs of its balances, so that the rows themselves are not read: docs/decisions/0064-lists-at-full-size.md
drop index balance_by_wallet;
create index balance_by_wallet on balance (eid, wallet) include (token, amount, unpriced_tokens, cost_usd, realised_usd);
