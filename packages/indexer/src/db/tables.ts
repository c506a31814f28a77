import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';

/**
 * The chain tables as TypeScript sees them (`migrations/0001_chain.sql`). `numeric(78,0)` is bigint, `bigint` is number
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
}

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
}

export interface BalanceTable {
  chain_id: number;
  token: Hex;
  wallet: Hex;
  amount: bigint;
  first_acquired: Date;
  updated_at: Date;
}

export interface FeeCreditTable {
  chain_id: number;
  recipient: Hex;
  block_number: number;
  log_index: number;
  part: number;
  id: string;
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
  referrer: Hex;
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
  token_slug: TokenSlugTable;
  migration: MigrationTable;
}

export type Row<Name extends keyof Database> = Selectable<Database[Name]>;
export type NewRow<Name extends keyof Database> = Insertable<Database[Name]>;
