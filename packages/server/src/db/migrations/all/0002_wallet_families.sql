-- Embedded wallets are one a user and family of chains, which goes by its word of the wire. All that are there are of the EVM.
alter table embedded_wallet
  add column chain_type text not null default 'evm',
  drop constraint embedded_wallet_pkey,
  add primary key (user_id, chain_type);
alter table embedded_wallet alter column chain_type drop default;

-- Not every family has nonces and fees a unit of gas; some have bytes that end by themselves.
alter table attempt
  alter column nonce drop not null,
  alter column max_fee_per_gas drop not null,
  alter column max_priority_fee_per_gas drop not null,
  -- The last block height that may hold these bytes; null: any, until their nonce is used.
  add column valid_until_block bigint;
