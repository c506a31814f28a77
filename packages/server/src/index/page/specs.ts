import type { Database, Row } from '../../db/chainTables.ts';

/** PostgreSQL types of the columns, for arrays in bulk statements. */
type ColumnType = 'int8' | 'int4' | 'text' | 'uuid' | 'numeric' | 'bool' | 'timestamptz' | 'jsonb';

export interface TableSpec<Name extends keyof Database> {
  name: Name;
  /** The primary key, `chain_id` first. */
  key: readonly (keyof Row<Name> & string)[];
  /** Columns that never change, so that a change of the row need not send them. */
  constant?: readonly (keyof Row<Name> & string)[];
  columns: { [Column in keyof Row<Name> & string]: ColumnType };
}

/** Rows that events change. Their images from before each block go to the journal. */
export const tokenSpec: TableSpec<'token'> = {
  name: 'token',
  key: ['chain_id', 'address'],
  constant: [
    'token_id',
    'platform_id',
    'creator',
    'pool_type',
    'name',
    'symbol',
    'uri',
    'salt',
    'created_at',
    'block_number',
    'log_index',
    'tx_hash',
    'start_price_usd18',
  ],
  columns: {
    chain_id: 'int8',
    address: 'text',
    token_id: 'uuid',
    platform_id: 'text',
    creator: 'text',
    pool_type: 'int4',
    name: 'text',
    symbol: 'text',
    uri: 'text',
    salt: 'text',
    created_at: 'timestamptz',
    block_number: 'int8',
    log_index: 'int4',
    tx_hash: 'text',
    virtual_tokens: 'numeric',
    virtual_usd: 'numeric',
    floor_usd: 'numeric',
    completed: 'bool',
    graduated_at: 'timestamptz',
    graduation: 'jsonb',
    pool_id: 'text',
    sqrt_price_x96: 'numeric',
    liquidity: 'numeric',
    tick: 'int4',
    protocol_fee: 'int4',
    treasury_share: 'numeric',
    trades: 'int8',
    volume_usd: 'numeric',
    holders: 'int8',
    last_trade_at: 'timestamptz',
    start_price_usd18: 'numeric',
    price_usd18: 'numeric',
    progress_pct18: 'numeric',
    stage: 'text',
    volume_tokens: 'numeric',
    volume_usd18: 'numeric',
  },
};

export const balanceSpec: TableSpec<'balance'> = {
  name: 'balance',
  key: ['chain_id', 'token', 'wallet'],
  constant: ['first_acquired'],
  columns: {
    chain_id: 'int8',
    token: 'text',
    wallet: 'text',
    amount: 'numeric',
    first_acquired: 'timestamptz',
    updated_at: 'timestamptz',
    unpriced_tokens: 'numeric',
    cost_usd: 'numeric',
    realised_usd: 'numeric',
    bought_usd: 'numeric',
    bought_tokens: 'numeric',
    sold_usd: 'numeric',
    sold_tokens: 'numeric',
  },
};

export const feeBalanceSpec: TableSpec<'fee_balance'> = {
  name: 'fee_balance',
  key: ['chain_id', 'recipient', 'currency'],
  columns: {
    chain_id: 'int8',
    recipient: 'text',
    currency: 'text',
    earned: 'numeric',
    claimable: 'numeric',
    last_distribution_at: 'timestamptz',
  },
};

export const feeSumSpec: TableSpec<'fee_sum'> = {
  name: 'fee_sum',
  key: ['chain_id', 'recipient', 'distribution_type'],
  columns: {
    chain_id: 'int8',
    recipient: 'text',
    distribution_type: 'int4',
    credits: 'int8',
    earned: 'numeric',
  },
};

export const traderSpec: TableSpec<'trader'> = {
  name: 'trader',
  key: ['chain_id', 'wallet'],
  constant: ['first_trade_at'],
  columns: {
    chain_id: 'int8',
    wallet: 'text',
    volume_usd: 'numeric',
    trades: 'int8',
    first_trade_at: 'timestamptz',
    last_trade_at: 'timestamptz',
  },
};

export const candleSpec: TableSpec<'candle'> = {
  name: 'candle',
  key: ['chain_id', 'token', 'seconds', 'bucket'],
  constant: ['open_usd18'],
  columns: {
    chain_id: 'int8',
    token: 'text',
    seconds: 'int4',
    bucket: 'timestamptz',
    open_usd18: 'numeric',
    high_usd18: 'numeric',
    low_usd18: 'numeric',
    close_usd18: 'numeric',
    volume_tokens: 'numeric',
    volume_usd18: 'numeric',
    trades: 'int8',
  },
};

/** Rows that are written once. An undo deletes them by their block. */
export const tradeSpec: TableSpec<'trade'> = {
  name: 'trade',
  key: ['chain_id', 'token', 'block_number', 'log_index'],
  columns: {
    chain_id: 'int8',
    token: 'text',
    block_number: 'int8',
    log_index: 'int4',
    block_hash: 'text',
    tx_hash: 'text',
    time: 'timestamptz',
    trader: 'text',
    recipient: 'text',
    side: 'text',
    venue: 'text',
    foreign_router: 'bool',
    gross_usd: 'numeric',
    tokens: 'numeric',
    fee_bps: 'int4',
    base: 'numeric',
    excess: 'numeric',
    builder: 'text',
    builder_bps: 'int4',
    builder_fee: 'numeric',
    referral: 'text',
    referrer: 'text',
    cashback: 'numeric',
    state_a: 'numeric',
    state_b: 'numeric',
    tick: 'int4',
    price_usd18: 'numeric',
    progress_pct18: 'numeric',
  },
};

export const transferSpec: TableSpec<'transfer'> = {
  name: 'transfer',
  key: ['chain_id', 'token', 'block_number', 'log_index'],
  columns: {
    chain_id: 'int8',
    token: 'text',
    block_number: 'int8',
    log_index: 'int4',
    block_hash: 'text',
    tx_hash: 'text',
    time: 'timestamptz',
    sender: 'text',
    recipient: 'text',
    amount: 'numeric',
    is_leg: 'bool',
    holders: 'int8',
  },
};

export const feeCreditSpec: TableSpec<'fee_credit'> = {
  name: 'fee_credit',
  key: ['chain_id', 'recipient', 'distribution_type', 'block_number', 'log_index', 'part'],
  columns: {
    chain_id: 'int8',
    recipient: 'text',
    block_number: 'int8',
    log_index: 'int4',
    part: 'int4',
    block_hash: 'text',
    tx_hash: 'text',
    time: 'timestamptz',
    currency: 'text',
    amount: 'numeric',
    distribution_type: 'int4',
    activity_id: 'int4',
    token: 'text',
  },
};

export const withdrawalSpec: TableSpec<'withdrawal'> = {
  name: 'withdrawal',
  key: ['chain_id', 'account', 'block_number', 'log_index'],
  columns: {
    chain_id: 'int8',
    account: 'text',
    block_number: 'int8',
    log_index: 'int4',
    block_hash: 'text',
    tx_hash: 'text',
    time: 'timestamptz',
    currency: 'text',
    recipient: 'text',
    amount: 'numeric',
  },
};

export const referrerSpec: TableSpec<'referrer'> = {
  name: 'referrer',
  key: ['chain_id', 'trader'],
  columns: {
    chain_id: 'int8',
    trader: 'text',
    referrer: 'text',
    block_number: 'int8',
    time: 'timestamptz',
  },
};

export const blockSpec: TableSpec<'block'> = {
  name: 'block',
  key: ['chain_id', 'number'],
  columns: { chain_id: 'int8', number: 'int8', hash: 'text', parent_hash: 'text', time: 'timestamptz' },
};

export const journalSpec: TableSpec<'journal'> = {
  name: 'journal',
  key: ['chain_id', 'block_number', 'seq'],
  columns: { chain_id: 'int8', block_number: 'int8', seq: 'int8', table_name: 'text', key: 'jsonb', before: 'jsonb' },
};

export const changedSpecs = [
  tokenSpec,
  balanceSpec,
  feeBalanceSpec,
  feeSumSpec,
  traderSpec,
  candleSpec,
  referrerSpec,
] as const;
export const writtenOnceSpecs = [tradeSpec, transferSpec, feeCreditSpec, withdrawalSpec] as const;
