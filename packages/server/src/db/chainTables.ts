import type { Hash } from '@mintage/protocol';
import type { Insertable, Selectable } from 'kysely';
import {
  address,
  amount,
  bool,
  constant,
  eid,
  float8,
  generated,
  hash,
  hex,
  int4,
  int8,
  json,
  oneOf,
  orNull,
  type TablesOf,
  table,
  text,
  time,
  uuid,
  withDefault,
} from './table.ts';

/** What the chains say: written by the indexer, read by all. */

export type ChainStatus = 'starting' | 'syncing' | 'live' | 'down' | 'paused';

export type Stage = 'new' | 'graduating' | 'graduated';

export type StreamTopic = 'tokenActivity' | 'walletBalances' | 'walletFees';

/** The `Graduated` event and its position in the chain; amounts as decimal digits. */
export interface GraduationJson {
  txHash: Hash;
  blockNumber: number;
  logIndex: number;
  sqrtPriceX96: string;
  tick: number;
  fullRange: { tickLower: number; tickUpper: number; liquidity: string };
  floor: { tickLower: number; tickUpper: number; liquidity: string };
  usdLocked: string;
  tokensLocked: string;
  floorUsd: string;
  creatorReward: string;
  dustUsd: string;
  dustTokens: string;
}

/** How far the index of each chain goes, and what it needs to go back. */
const progress = {
  chain: table(['eid'], {
    eid,
    slug: text,
    usd: address,
    usd_decimals: int4,
    launchpad: address,
    pool_manager: orNull(address),
    /** Newest block that the provider showed. */
    head: withDefault(int8),
    /** Newest block whose events are in the tables; one below the deployment's first block at the start. */
    indexed: withDefault(int8),
    indexed_hash: orNull(hash),
    indexed_time: orNull(time),
    finalized: withDefault(int8),
    treasury: orNull(address),
    version: withDefault(int8),
    status: withDefault(oneOf<ChainStatus>()),
    problem: orNull(text),
    /** First block whose events reach the streams; null until the head was reached once. */
    live_from: orNull(int8),
    /** Of a backfill; null at the head. */
    blocks_per_second: orNull(float8),
    /** Block that token_window and earner stand at: behind `indexed` while far behind the head, null before the first time. */
    rolled_block: orNull(int8),
    /** Of that block. */
    rolled_time: orNull(time),
    lease_owner: orNull(text),
    lease_until: orNull(time),
    updated_at: withDefault(time),
  }),
  block: table(['eid', 'number'], {
    eid,
    number: int8,
    hash: hash,
    parent_hash: hash,
    time: time,
  }),
  journal: table(['eid', 'block_number', 'seq'], {
    eid,
    block_number: int8,
    seq: int8,
    table_name: text,
    key: json(),
    /** Null: the row did not exist. */
    before: json(),
  }),
};

/** Rows that events change. Their images from before each block go to the journal, and an undo puts them back. */
export const changedTables = {
  token: table(['eid', 'address'], {
    eid,
    address: address,
    token_id: constant(uuid),
    platform_id: constant(hex),
    creator: constant(address),
    pool_type: constant(int4),
    name: constant(text),
    symbol: constant(text),
    uri: constant(text),
    salt: constant(hex),
    created_at: constant(time),
    block_number: constant(int8),
    log_index: constant(int4),
    tx_hash: constant(hash),
    virtual_tokens: amount,
    virtual_usd: amount,
    floor_usd: withDefault(amount),
    completed: withDefault(bool),
    graduated_at: orNull(time),
    graduation: orNull(json<GraduationJson>()),
    pool_id: orNull(hash),
    sqrt_price_x96: orNull(amount),
    liquidity: orNull(amount),
    tick: orNull(int4),
    /** The PoolManager's fee in pips: low 12 bits currency 0 to 1, high 12 bits the other way. */
    protocol_fee: withDefault(int4),
    treasury_share: withDefault(amount),
    trades: withDefault(int8),
    volume_usd: withDefault(amount),
    holders: withDefault(int8),
    last_trade_at: orNull(time),
    /** USD of one whole token with 18 fraction digits, at creation. */
    start_price_usd18: constant(amount),
    /** The same after the last trade. */
    price_usd18: amount,
    /** Percent of the curve's tokens that are sold, with 18 fraction digits. */
    progress_pct18: withDefault(amount),
    stage: withDefault(oneOf<Stage>()),
    volume_tokens: withDefault(amount),
    volume_usd18: withDefault(amount),
  }),
  balance: table(['eid', 'token', 'wallet'], {
    eid,
    token: address,
    wallet: address,
    amount: amount,
    first_acquired: constant(time),
    updated_at: time,
    /** Part of `amount` whose cost is unknown. */
    unpriced_tokens: withDefault(amount),
    /** Cost of the rest of `amount`, by average cost; this and the following in base units of the chain's dollar. */
    cost_usd: withDefault(amount),
    /** May be negative. */
    realised_usd: withDefault(amount),
    bought_usd: withDefault(amount),
    bought_tokens: withDefault(amount),
    sold_usd: withDefault(amount),
    sold_tokens: withDefault(amount),
  }),
  fee_balance: table(['eid', 'recipient', 'currency'], {
    eid,
    recipient: address,
    currency: address,
    earned: amount,
    claimable: amount,
    last_distribution_at: orNull(time),
  }),
  /** Credits of one recipient by kind. */
  fee_sum: table(['eid', 'recipient', 'distribution_type'], {
    eid,
    recipient: address,
    distribution_type: int4,
    credits: int8,
    earned: amount,
  }),
  trader: table(['eid', 'wallet'], {
    eid,
    wallet: address,
    /** Gross volume, without swaps by foreign routers. */
    volume_usd: amount,
    trades: int8,
    first_trade_at: constant(time),
    last_trade_at: time,
  }),
  candle: table(['eid', 'token', 'seconds', 'bucket'], {
    eid,
    token: address,
    seconds: int4,
    /** UTC-aligned start. */
    bucket: time,
    /** Price before the bucket's first trade. */
    open_usd18: constant(amount),
    high_usd18: amount,
    low_usd18: amount,
    close_usd18: amount,
    volume_tokens: amount,
    volume_usd18: amount,
    trades: int8,
  }),
  referrer: table(['eid', 'trader'], {
    eid,
    trader: address,
    /** Null: cleared by the owner of the Launchpad. */
    referrer: orNull(address),
    /** Of the latest change. */
    block_number: int8,
    time: time,
  }),
};

/** Rows that are written once, with `block_number` and `time`. An undo deletes them by their block. */
export const writtenOnceTables = {
  trade: table(['eid', 'token', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    trader: address,
    recipient: address,
    side: oneOf<'buy' | 'sell'>(),
    venue: oneOf<'curve' | 'pool'>(),
    /** A swap by a router that is not ours: `trader` sent the transaction, `recipient` is the router. */
    foreign_router: bool,
    gross_usd: amount,
    tokens: amount,
    fee_bps: int4,
    base: amount,
    excess: amount,
    builder: address,
    builder_bps: int4,
    builder_fee: amount,
    referral: address,
    referrer: address,
    cashback: amount,
    state_a: amount,
    state_b: amount,
    tick: int4,
    /** After this trade, as in `TokenTable`. */
    price_usd18: amount,
    progress_pct18: amount,
  }),
  transfer: table(['eid', 'token', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    sender: address,
    recipient: address,
    amount: amount,
    /**
     * Whether the transfer is part of a trade, creation or burn: one side is the launchpad, the pool or the zero address.
     */
    is_leg: bool,
    /** Of the token, after this transfer. */
    holders: int8,
  }),
  fee_credit: table(['eid', 'recipient', 'distribution_type', 'block_number', 'log_index', 'part'], {
    eid,
    recipient: address,
    block_number: int8,
    log_index: int4,
    part: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    currency: address,
    amount: amount,
    distribution_type: int4,
    activity_id: int4,
    token: orNull(address),
  }),
  withdrawal: table(['eid', 'account', 'block_number', 'log_index'], {
    eid,
    account: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    currency: address,
    recipient: address,
    amount: amount,
  }),
};

/** What follows from the tables above, with an undo of its own; what is told; and what no block decides. */
const others = {
  /** Figures of the last `seconds` before the newest indexed block of the chain. */
  token_window: table(['eid', 'token', 'seconds'], {
    eid,
    token: address,
    seconds: int4,
    volume_usd18: withDefault(amount),
    /** Volume of as long a time before. */
    before_usd18: withDefault(amount),
    trades: withDefault(int8),
    /** Price at the start of the window, or at the token's creation when that was later. */
    price_then_usd18: amount,
    holders_then: withDefault(int8),
    progress_then_pct18: withDefault(amount),
    /** Price now less `price_then_usd18`. */
    price_change_usd18: withDefault(amount),
  }),
  /** Earned on all chains of a network. */
  earner: table(['network', 'account'], {
    network: oneOf<'mainnet' | 'testnet' | 'both'>(),
    account: address,
    earned_usd18: amount,
    earned_7d_usd18: amount,
  }),
  /** Further wallets of a user, whose earnings count for `account`. */
  earner_wallet: table(['wallet'], {
    wallet: address,
    account: address,
  }),
  stream_topic: table(['topic'], {
    topic: oneOf<StreamTopic>(),
    /** Newest number of the topic; there may be gaps below it. */
    last_seq: int8,
  }),
  stream_event: table(['topic', 'seq'], {
    topic: oneOf<StreamTopic>(),
    seq: int8,
    eid,
    block_number: int8,
    time: time,
    platform_id: orNull(hex),
    wallet: orNull(address),
    /** Of the event that a reorg took back. */
    retracts: orNull(int8),
    retracted: withDefault(bool),
    data: json(),
    created_at: generated(time),
  }),
  token_slug: table(['slug'], {
    slug: text,
    token_id: uuid,
    claimed_at: generated(time),
  }),
  /** Written by `migrate`. */
  migration: table(['name'], {
    name: text,
    sha256: text,
    applied_at: generated(time),
  }),
};

export const chainTables = { ...progress, ...changedTables, ...writtenOnceTables, ...others };

export type ChangedTable = keyof typeof changedTables;
export type WrittenOnceTable = keyof typeof writtenOnceTables;

/** Every table of the indexer. The api adds its own by `db.withTables<ServiceTables>()`. */
export interface Database extends TablesOf<typeof chainTables> {}

export type Row<Name extends keyof Database> = Selectable<Database[Name]>;
export type NewRow<Name extends keyof Database> = Insertable<Database[Name]>;
