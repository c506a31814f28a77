import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';

/**
 * The chain tables as TypeScript sees them (`migrations/0001_chain.sql`, `0003_market.sql`). `numeric(78,0)` is bigint, `bigint` is number
 * (block numbers, chain ids and counts stay below 2^53), times are Date, addresses and hashes are lower-case hex text.
 */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Hex = `0x${string}`;

export type ChainStatus = 'starting' | 'syncing' | 'live' | 'down' | 'paused';

export interface ChainTable {
  chain_id: number;
  slug: string;
  usd: Hex;
  usd_decimals: number;
  launchpad: Hex;
  pool_manager: Hex | null;
  /** Newest block that the provider showed. */
  head: Defaulted<number>;
  /** Newest block whose events are in the tables; one below the deployment's first block at the start. */
  indexed: Defaulted<number>;
  indexed_hash: Hex | null;
  indexed_time: Date | null;
  finalized: Defaulted<number>;
  treasury: Hex | null;
  version: Defaulted<number>;
  status: Defaulted<ChainStatus>;
  problem: string | null;
  /** First block whose events reach the streams; null until the head was reached once. */
  live_from: number | null;
  /** Of a backfill; null at the head. */
  blocks_per_second: number | null;
  /** Block that token_window and earner stand at: behind `indexed` while far behind the head, null before the first time. */
  rolled_block: number | null;
  /** Of that block. */
  rolled_time: Date | null;
  lease_owner: string | null;
  lease_until: Date | null;
  updated_at: Generated<Date>;
}

export interface BlockTable {
  chain_id: number;
  number: number;
  hash: Hex;
  parent_hash: Hex;
  time: Date;
}

export interface JournalTable {
  chain_id: number;
  block_number: number;
  seq: number;
  table_name: string;
  key: unknown;
  /** Null: the row did not exist. */
  before: unknown;
}

/** The `Graduated` event and where it stands; amounts as decimal digits. */
export interface GraduationJson {
  txHash: Hex;
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

export interface TokenTable {
  chain_id: number;
  address: Hex;
  token_id: string;
  platform_id: Hex;
  creator: Hex;
  pool_type: number;
  name: string;
  symbol: string;
  uri: string;
  salt: Hex;
  created_at: Date;
  block_number: number;
  log_index: number;
  tx_hash: Hex;
  virtual_tokens: bigint;
  virtual_usd: bigint;
  floor_usd: Defaulted<bigint>;
  completed: Defaulted<boolean>;
  graduated_at: Date | null;
  graduation: GraduationJson | null;
  pool_id: Hex | null;
  sqrt_price_x96: bigint | null;
  liquidity: bigint | null;
  tick: number | null;
  /** The PoolManager's fee in pips: low 12 bits currency 0 to 1, high 12 bits the other way. */
  protocol_fee: Defaulted<number>;
  treasury_share: Defaulted<bigint>;
  trades: Defaulted<number>;
  volume_usd: Defaulted<bigint>;
  holders: Defaulted<number>;
  last_trade_at: Date | null;
  /** USD of one whole token with 18 fraction digits, at creation. */
  start_price_usd18: bigint;
  /** The same after the last trade. */
  price_usd18: bigint;
  /** Share of the curve that is sold, percent with 18 fraction digits. */
  progress_pct18: Defaulted<bigint>;
  stage: Defaulted<Stage>;
  volume_tokens: Defaulted<bigint>;
  volume_usd18: Defaulted<bigint>;
}

export type Stage = 'new' | 'graduating' | 'graduated';

export interface TradeTable {
  chain_id: number;
  token: Hex;
  block_number: number;
  log_index: number;
  block_hash: Hex;
  tx_hash: Hex;
  time: Date;
  trader: Hex;
  recipient: Hex;
  side: 'buy' | 'sell';
  venue: 'curve' | 'pool';
  /** A swap by a router that is not ours: `trader` sent the transaction, `recipient` is the router. */
  foreign_router: boolean;
  gross_usd: bigint;
  tokens: bigint;
  fee_bps: number;
  base: bigint;
  excess: bigint;
  builder: Hex;
  builder_bps: number;
  builder_fee: bigint;
  referral: Hex;
  referrer: Hex;
  cashback: bigint;
  state_a: bigint;
  state_b: bigint;
  tick: number;
  /** After this trade, as in `TokenTable`. */
  price_usd18: bigint;
  progress_pct18: bigint;
}

export interface TransferTable {
  chain_id: number;
  token: Hex;
  block_number: number;
  log_index: number;
  block_hash: Hex;
  tx_hash: Hex;
  time: Date;
  sender: Hex;
  recipient: Hex;
  amount: bigint;
  /** One side is the launchpad, the pool or nobody. */
  is_leg: boolean;
  /** Of the token, after this transfer. */
  holders: number;
}

export interface BalanceTable {
  chain_id: number;
  token: Hex;
  wallet: Hex;
  amount: bigint;
  first_acquired: Date;
  updated_at: Date;
  /** Part of `amount` whose cost nobody knows. */
  unpriced_tokens: Defaulted<bigint>;
  /** Of the rest of `amount`, by average cost; this and the following in base units of the chain's dollar. */
  cost_usd: Defaulted<bigint>;
  /** May be negative. */
  realised_usd: Defaulted<bigint>;
  bought_usd: Defaulted<bigint>;
  bought_tokens: Defaulted<bigint>;
  sold_usd: Defaulted<bigint>;
  sold_tokens: Defaulted<bigint>;
}

export interface FeeCreditTable {
  chain_id: number;
  recipient: Hex;
  block_number: number;
  log_index: number;
  part: number;
  block_hash: Hex;
  tx_hash: Hex;
  time: Date;
  currency: Hex;
  amount: bigint;
  distribution_type: number;
  activity_id: number;
  token: Hex | null;
}

export interface FeeBalanceTable {
  chain_id: number;
  recipient: Hex;
  currency: Hex;
  earned: bigint;
  claimable: bigint;
  last_distribution_at: Date | null;
}

/** Credits of one recipient by kind. */
export interface FeeSumTable {
  chain_id: number;
  recipient: Hex;
  distribution_type: number;
  credits: number;
  earned: bigint;
}

export interface TraderTable {
  chain_id: number;
  wallet: Hex;
  /** Gross, without swaps by foreign routers. */
  volume_usd: bigint;
  trades: number;
  first_trade_at: Date;
  last_trade_at: Date;
}

export interface CandleTable {
  chain_id: number;
  token: Hex;
  seconds: number;
  /** UTC-aligned start. */
  bucket: Date;
  /** Price before the bucket's first trade. */
  open_usd18: bigint;
  high_usd18: bigint;
  low_usd18: bigint;
  close_usd18: bigint;
  volume_tokens: bigint;
  volume_usd18: bigint;
  trades: number;
}

/** The last `seconds` before the newest indexed block of the chain. */
export interface TokenWindowTable {
  chain_id: number;
  token: Hex;
  seconds: number;
  volume_usd18: Defaulted<bigint>;
  /** Volume of as long a time before. */
  before_usd18: Defaulted<bigint>;
  trades: Defaulted<number>;
  /** At the start of the window, or at the token's creation when that was later. */
  price_then_usd18: bigint;
  holders_then: Defaulted<number>;
  progress_then_pct18: Defaulted<bigint>;
  /** Price now less `price_then_usd18`. */
  price_change_usd18: Defaulted<bigint>;
}

/** Earned on all chains of a network. */
export interface EarnerTable {
  network: 'mainnet' | 'testnet' | 'both';
  account: Hex;
  earned_usd18: bigint;
  earned_7d_usd18: bigint;
}

/** Further wallets of a user, whose earnings count for `account`. */
export interface EarnerWalletTable {
  wallet: Hex;
  account: Hex;
}

export type StreamTopic = 'tokenActivity' | 'walletBalances' | 'walletFees';

export interface StreamTopicTable {
  topic: StreamTopic;
  /** Newest number that was given; there may be gaps below it. */
  last_seq: number;
}

export interface StreamEventTable {
  topic: StreamTopic;
  seq: number;
  chain_id: number;
  block_number: number;
  time: Date;
  platform_id: Hex | null;
  wallet: Hex | null;
  /** Of the event that a reorg took back. */
  retracts: number | null;
  retracted: Defaulted<boolean>;
  data: unknown;
  created_at: GeneratedAlways<Date>;
}

export interface WithdrawalTable {
  chain_id: number;
  account: Hex;
  block_number: number;
  log_index: number;
  block_hash: Hex;
  tx_hash: Hex;
  time: Date;
  currency: Hex;
  recipient: Hex;
  amount: bigint;
}

export interface ReferrerTable {
  chain_id: number;
  trader: Hex;
  /** Null: cleared by the owner of the Launchpad. */
  referrer: Hex | null;
  /** Of the latest change. */
  block_number: number;
  time: Date;
}

export interface TokenSlugTable {
  slug: string;
  token_id: string;
  claimed_at: GeneratedAlways<Date>;
}

/** Written by `migrate`. */
export interface MigrationTable {
  name: string;
  sha256: string;
  applied_at: GeneratedAlways<Date>;
}

/** Every table of the indexer. The api adds its own by `db.withTables<ServiceTables>()`. */
export interface Database {
  chain: ChainTable;
  block: BlockTable;
  journal: JournalTable;
  token: TokenTable;
  trade: TradeTable;
  transfer: TransferTable;
  balance: BalanceTable;
  fee_credit: FeeCreditTable;
  fee_balance: FeeBalanceTable;
  withdrawal: WithdrawalTable;
  referrer: ReferrerTable;
  fee_sum: FeeSumTable;
  trader: TraderTable;
  candle: CandleTable;
  token_window: TokenWindowTable;
  earner: EarnerTable;
  earner_wallet: EarnerWalletTable;
  stream_topic: StreamTopicTable;
  stream_event: StreamEventTable;
  token_slug: TokenSlugTable;
  migration: MigrationTable;
}

export type Row<Name extends keyof Database> = Selectable<Database[Name]>;
export type NewRow<Name extends keyof Database> = Insertable<Database[Name]>;
