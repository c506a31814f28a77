-- What a person traded and what a foreign router did in their transaction are told apart: docs/decisions/0012.

-- The new columns follow from events: every chain is read again from its deployment's first block.
truncate chain, block, journal, token, trade, transfer, balance, fee_credit, fee_balance, fee_sum, withdrawal, referrer, trader,
  candle, token_window, earner;

alter table trade add column foreign_router boolean not null;      -- a swap of the pool by a router that is not ours

alter table trader drop column referable_usd;                      -- volume_usd is without swaps by foreign routers

alter table balance add column unpriced_tokens numeric(78,0) not null default 0; -- part of `amount` whose cost nobody knows

-- Lists by change in 24 hours go by dollars; the percentage follows from price_then_usd18.
drop index token_window_by_change;
alter table token_window drop column price_change_pct18,
  add column price_change_usd18 numeric(78,0) not null default 0;  -- price now less price_then_usd18
create index token_window_by_change on token_window (seconds, price_change_usd18 desc, chain_id, token);
