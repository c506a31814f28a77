import type { Hash } from '@mintage/protocol';
import type { StreamTopic } from '@mintage/protocol/operations';
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
import { changeWindows, ofEach, volumeWindows } from './tokenWindows.ts';

/** What the chains say: written by the indexer, read by all. */

export type ChainStatus = 'starting' | 'syncing' | 'live' | 'down' | 'paused';

export type Stage = 'new' | 'graduating' | 'graduated';

/** What every `Graduated` event says, with its position in the chain; amounts as decimal digits. */
export interface OwnGraduationJson {
  txHash: Hash;
  blockNumber: number;
  logIndex: number;
  /** Dollars in the pool without the floor's, on Uniswap in the full-range position; `tokensLocked` its tokens. Base units, as all below. */
  usdLocked: string;
  tokensLocked: string;
  /** Dollars that the floor keeps: on Uniswap in a position of its own. */
  floorUsd: string;
  /** Dollars of the raise that are credited to the creator. */
  creatorReward: string;
  /** Dollars that fitted no position or no floor: the treasury's. */
  dustUsd: string;
  /** Tokens that fitted no position, which nobody can take any more. */
  dustTokens: string;
}

/** Of a graduation into a pool of Uniswap's form. */
export interface UniswapGraduationJson extends OwnGraduationJson {
  /** Price at which the pool opens: root of currency 1 per currency 0, base units, times 2^96. */
  sqrtPriceX96: string;
  /** Of that price. */
  tick: number;
  /** Locked position over all prices. */
  fullRange: { tickLower: number; tickUpper: number; liquidity: string };
  /** Locked position that holds the floor's dollars. */
  floor: { tickLower: number; tickUpper: number; liquidity: string };
}

/** Without a price of its own it is one into our own pool, which goes on from the curve's. */
export type GraduationJson = UniswapGraduationJson | OwnGraduationJson;

/** How far the index of each chain goes, and what it needs to go back. */
const progress = {
  chain: table(['eid'], {
    eid,
    slug: text,
    /** The deployment's dollar token. */
    usd: address,
    usd_decimals: int4,
    launchpad: address,
    /** Of Uniswap v4; null where the deployment has none. */
    pool_manager: orNull(address),
    /** Newest block that the provider showed. */
    head: withDefault(int8),
    /** Newest block whose events are in the tables; one below the deployment's first block at the start. */
    indexed: withDefault(int8),
    /** Of that block; null, as the next, before the first page. */
    indexed_hash: orNull(hash),
    indexed_time: orNull(time),
    /** Newest block that is never undone; -1 before the first page. */
    finalized: withDefault(int8),
    /** Account of the treasury, by the newest `SettingChanged`; null before the first. */
    treasury: orNull(address),
    /** Grows with every page and undo, and with every change of head or status. */
    version: withDefault(int8),
    status: withDefault(oneOf<ChainStatus>()),
    /** Why it is down or paused, for people; null otherwise. */
    problem: orNull(text),
    /** First block whose events reach the streams; null until the head was reached once. */
    live_from: orNull(int8),
    /** Of a backfill; null at the head. */
    blocks_per_second: orNull(float8),
    /** Block that token_window and earner stand at: behind `indexed` while far behind the head, null before the first time. */
    rolled_block: orNull(int8),
    /** Of that block. */
    rolled_time: orNull(time),
    /** Trades, transfers and fee credits before are gone; null: all are kept. */
    history_from: orNull(time),
    /** The process that writes now; null: none. */
    lease_owner: orNull(text),
    /** By the database's clock, as `updated_at`. */
    lease_until: orNull(time),
    updated_at: withDefault(time),
  }),
  /** Blocks that may still be reorganised, and the newest finalized one. */
  block: table(['eid', 'number'], {
    eid,
    number: int8,
    hash: hash,
    parent_hash: hash,
    time: time,
  }),
  /** Images of rows from before each block that may still be undone. */
  journal: table(['eid', 'block_number', 'seq'], {
    eid,
    block_number: int8,
    /** Order of the images of one page. */
    seq: int8,
    table_name: text,
    /** Columns of the primary key, by name, as JSON. */
    key: text,
    /** The row as JSON; null: it did not exist. */
    before: orNull(text),
  }),
};

/** Rows that events change. Their images from before each block go to the journal, and an undo puts them back. */
export const changedTables = {
  token: table(['eid', 'address'], {
    eid,
    address: address,
    /** Follows from `platform_id` (`tokenIdOf`). */
    token_id: constant(uuid),
    /** Follows from `address` and `eid` (`platformIdOf`). */
    platform_id: constant(hex),
    creator: constant(address),
    /** Id of a `PoolType` in protocol. */
    pool_type: constant(int4),
    name: constant(text),
    symbol: constant(text),
    /** Of the metadata, as the creation names it. */
    uri: constant(text),
    /** Chosen by the creator; with it the address is known before the creation. */
    salt: constant(hex),
    /** Time of the block that created it; the next three are of that event too. */
    created_at: constant(time),
    block_number: constant(int8),
    log_index: constant(int4),
    tx_hash: constant(hash),
    /** Of the curve after its last trade, as the next; both stay from the graduation on. */
    virtual_tokens: amount,
    virtual_usd: amount,
    /** Dollars kept for the floor; 0 after graduation. */
    floor_usd: withDefault(amount),
    /** The curve is sold out; selling back on it before graduation makes this false again. */
    completed: withDefault(bool),
    /** Time of the block of `Graduated`; null, as the next seven, before it. */
    graduated_at: orNull(time),
    graduation: orNull(json<GraduationJson>()),
    /** Of Uniswap v4; the pool's address where it is a contract or an account of its own. */
    pool_id: orNull(hash),
    /** Of the pool after its last trade: root of currency 1 per currency 0, base units, times 2^96. */
    sqrt_price_x96: orNull(amount),
    /** Of the pool's locked liquidity, in range at that price. */
    liquidity: orNull(amount),
    tick: orNull(int4),
    /** Of a pool of our own after its last trade, as the next; null, both, of any other. */
    pool_tokens: orNull(amount),
    /** Without the floor's. */
    pool_usd: orNull(amount),
    /** The PoolManager's fee in pips: low 12 bits currency 0 to 1, high 12 bits the other way. */
    protocol_fee: withDefault(int4),
    /** Dollars of the treasury that are not credited to it yet. */
    treasury_share: withDefault(amount),
    trades: withDefault(int8),
    /** Gross, base units of the chain's dollar. */
    volume_usd: withDefault(amount),
    /** Wallets with a balance; who holds for others (`isHolder`) does not count. */
    holders: withDefault(int8),
    /** Time of its block; null: never traded. */
    last_trade_at: orNull(time),
    /** USD of one whole token with 18 fraction digits, at creation. */
    start_price_usd18: constant(amount),
    /** The same after the last trade. */
    price_usd18: amount,
    /** Percent of the curve's tokens that are sold, with 18 fraction digits. */
    progress_pct18: withDefault(amount),
    /** By `progress_pct18` and graduation (`stageAt`). */
    stage: withDefault(oneOf<Stage>()),
    volume_tokens: withDefault(amount),
    /** `volume_usd` with 18 fraction digits. */
    volume_usd18: withDefault(amount),
  }),
  /** A token whose home is another chain, on the chain of `eid`. */
  remote_token: table(['eid', 'address'], {
    eid,
    address: address,
    /** Where it is traded. */
    home_eid: constant(eid),
    /** Of the home, as the next. */
    token_id: constant(uuid),
    platform_id: constant(hex),
    creator: constant(address),
    salt: constant(hex),
    name: constant(text),
    symbol: constant(text),
    /** Time of the block that registered it; the next three are of that event too. */
    registered_at: constant(time),
    block_number: constant(int8),
    log_index: constant(int4),
    tx_hash: constant(hash),
    /** What is on this chain. */
    supply: amount,
    /** Wallets with a balance here; who holds for others (`isHolder`) does not count. */
    holders: int8,
  }),
  balance: table(['eid', 'token', 'wallet'], {
    eid,
    token: address,
    wallet: address,
    amount: amount,
    /** Block time of the first tokens; stays when the balance returns to zero. */
    first_acquired: constant(time),
    /** Block time of the newest change of `amount`. */
    updated_at: time,
    /** Part of `amount` whose cost is unknown. */
    unpriced_tokens: withDefault(amount),
    /** Cost of the rest of `amount`, by average cost; this and the following in base units of the chain's dollar. */
    cost_usd: withDefault(amount),
    /** May be negative. */
    realised_usd: withDefault(amount),
    /** Paid in buys, fees included. */
    bought_usd: withDefault(amount),
    bought_tokens: withDefault(amount),
    /** Received from sells, fees taken off. */
    sold_usd: withDefault(amount),
    sold_tokens: withDefault(amount),
  }),
  fee_balance: table(['eid', 'recipient', 'currency'], {
    eid,
    recipient: address,
    /** Token that is paid; the amounts are its base units. */
    currency: address,
    /** All credits; `claimable` is the part that is not withdrawn. */
    earned: amount,
    claimable: amount,
    /** Block time of the newest credit. */
    last_distribution_at: orNull(time),
  }),
  /** Credits of one recipient by kind. */
  fee_sum: table(['eid', 'recipient', 'distribution_type'], {
    eid,
    recipient: address,
    /** Number of `distributionTypes` in protocol. */
    distribution_type: int4,
    /** How many there are. */
    credits: int8,
    /** Base units of the chain's dollar; credits of other currencies only count above. */
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
    /** Length of the bucket, one of `candleSeconds`. */
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
  /** Where a chain keeps balances in accounts beside the wallets: what each held when it was last seen. */
  token_account: table(['eid', 'account'], {
    eid,
    account: address,
    token: constant(address),
    owner: address,
    amount: amount,
  }),
  /** Where a chain numbers its events: how many of an account are in the tables. */
  event_number: table(['eid', 'account'], {
    eid,
    /** Who numbers; the program itself for the tokens that it created. */
    account: address,
    /** Number of the account's next event. */
    next: int8,
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

/** Rows that are written once, with `block_number` and the `time` of that block. An undo deletes them by their block. */
export const writtenOnceTables = {
  trade: table(['eid', 'token', 'time', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    /** Whose tokens or dollars moved. */
    trader: address,
    /** Who received the tokens of a buy or the dollars of a sell. */
    recipient: address,
    side: oneOf<'buy' | 'sell'>(),
    venue: oneOf<'curve' | 'pool'>(),
    /** A swap by a router that is not ours: `trader` sent the transaction, `recipient` is the router. */
    foreign_router: bool,
    /** What the trader paid (buy) or the venue paid (sell), before fees. */
    gross_usd: amount,
    /** Bought or sold. */
    tokens: amount,
    /** Trade fee of that second, without the builder's. */
    fee_bps: int4,
    /** Dollars of the trade fee that are shared out. */
    base: amount,
    /** Dollars of the trade fee that are kept for the token's floor. */
    excess: amount,
    /** The address that stands for nobody: none; so in `referral` and `referrer`. */
    builder: address,
    /** Of the gross amount, on top of the trade fee. */
    builder_bps: int4,
    /** In dollars. */
    builder_fee: amount,
    /** The token referral that counts. */
    referral: address,
    /** Protocol referrer of the trader. */
    referrer: address,
    /** Dollars for the trader, when there is a referrer. */
    cashback: amount,
    /** After this trade: virtual tokens of the curve, tokens of a pool of our own, sqrtPriceX96 of another. */
    state_a: amount,
    /** After this trade: virtual dollars of the curve, dollars of a pool of our own without the floor's; 0 in another. */
    state_b: amount,
    /** Of the pool after this trade; 0 on the curve. */
    tick: int4,
    /** After this trade, as in the table `token`. */
    price_usd18: amount,
    progress_pct18: amount,
  }),
  transfer: table(['eid', 'token', 'time', 'block_number', 'log_index'], {
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
  /** Tokens that left for another chain. */
  bridge_sent: table(['eid', 'token', 'time', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    dst_eid: eid,
    /** Number of the message on its path; after a reorg another message can have it, as its guid. */
    nonce: int8,
    guid: hash,
    sender: address,
    /** On the other chain. */
    recipient: address,
    amount: amount,
    /** What LayerZero was paid, base units of the chain's coin. */
    native_fee: amount,
    /** Whether the message also makes the token there. */
    registers: bool,
  }),
  /** Tokens that arrived from another chain. */
  bridge_received: table(['eid', 'token', 'time', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    src_eid: eid,
    nonce: int8,
    guid: hash,
    recipient: address,
    amount: amount,
  }),
  /** Messages that make a token known elsewhere, and carry none. */
  bridge_announced: table(['eid', 'token', 'block_number', 'log_index'], {
    eid,
    token: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    dst_eid: eid,
    nonce: int8,
    guid: hash,
    native_fee: amount,
  }),
  /** Deliveries that failed. Anyone can have the endpoint say so: a hint, to be checked against the chain. */
  bridge_alert: table(['eid', 'src_eid', 'nonce', 'block_number', 'log_index'], {
    eid,
    src_eid: eid,
    nonce: int8,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    guid: hash,
    /** What the bridge reverted with; cut where it is long. */
    reason: hex,
  }),
  fee_credit: table(['eid', 'recipient', 'distribution_type', 'time', 'block_number', 'log_index', 'part'], {
    eid,
    recipient: address,
    block_number: int8,
    log_index: int4,
    /** Place among the parts of its event, from 0. */
    part: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    /** Token that is paid; the amount is its base units. */
    currency: address,
    amount: amount,
    /** Number of `distributionTypes` in protocol. */
    distribution_type: int4,
    /** What caused it: a number of `activity` in `index/aggregates/fees.ts`. */
    activity_id: int4,
    /** Launched token that it comes from; null: none. */
    token: orNull(address),
  }),
  withdrawal: table(['eid', 'account', 'block_number', 'log_index'], {
    eid,
    /** Whose credits are paid out. */
    account: address,
    block_number: int8,
    log_index: int4,
    block_hash: hash,
    tx_hash: hash,
    time: time,
    /** Token that is paid; the amount is its base units. */
    currency: address,
    /** To whom they are paid. */
    recipient: address,
    amount: amount,
  }),
};

/** What follows from the tables above, with an undo of its own; what is told; and what no block decides. */
const others = {
  /** Figures of a token's last minutes and hours before the newest indexed block of its chain: a column for each length. */
  token_window: table(['eid', 'token'], {
    eid,
    token: address,
    /** Gross, of trades after the start of the window and up to its end, inclusive. */
    ...ofEach(volumeWindows, 'volume_usd18', withDefault(amount)),
    /** Volume of as long a time before. */
    ...ofEach(changeWindows, 'before_usd18', withDefault(amount)),
    /** Price at the start of the window, or at the token's creation when that was later. */
    ...ofEach(changeWindows, 'price_then_usd18', amount),
    /** At the start of the window, as the next. */
    ...ofEach(changeWindows, 'holders_then', withDefault(int8)),
    ...ofEach(changeWindows, 'progress_then_pct18', withDefault(amount)),
    /** Price now less `price_then_usd18_24h`. */
    price_change_usd18_24h: withDefault(amount),
  }),
  /** Figures of a token as they were at `history_from` of its chain; null, each: nothing before it changed them. */
  token_before: table(['eid', 'token'], {
    eid,
    token: address,
    price_usd18: orNull(amount),
    progress_pct18: orNull(amount),
    holders: orNull(int8),
  }),
  /** The part of `fee_sum` whose credits were before `history_from` of the chain. */
  fee_before: table(['eid', 'recipient', 'distribution_type'], {
    eid,
    recipient: address,
    distribution_type: int4,
    credits: int8,
    earned: amount,
  }),
  /** Earned on all chains of a network. */
  earner: table(['network', 'account'], {
    network: oneOf<'mainnet' | 'testnet' | 'both'>(),
    /** A wallet; of a user with several, the first. */
    account: address,
    /** Credits of all time, without the treasury's. */
    earned_usd18: amount,
    /** Those of the last 7 days before each chain's `rolled_time`. */
    earned_7d_usd18: amount,
  }),
  /** Further wallets of a user, whose earnings count for `account`. */
  earner_wallet: table(['wallet'], {
    wallet: address,
    account: address,
  }),
  /** Where a block ended with less of a holding that weighs votes than the block before. */
  vote_low: table(['voter_id', 'token_id', 'eid', 'block_number'], {
    eid,
    voter_id: int8,
    token_id: uuid,
    block_number: int8,
    /** Base units: balances, and what left for an own wallet, less what came from other chains. */
    level: amount,
  }),
  stream_topic: table(['topic'], {
    topic: oneOf<StreamTopic>(),
    /** Newest number of the topic; there may be gaps below it. */
    last_seq: int8,
  }),
  stream_event: table(['topic', 'seq'], {
    topic: oneOf<StreamTopic>(),
    /** Number within the topic, in the order of commits. */
    seq: int8,
    /** 0, as the block's number: it happened in the service. */
    eid,
    block_number: int8,
    /** Of the block, or when it happened in the service. */
    time: time,
    /** Of the token that it is about; null: none. */
    platform_id: orNull(hex),
    /** The holder (`walletBalances`) or recipient (`walletFees`); null in other topics. */
    wallet: orNull(address),
    /** Whom it is for (`notifications`); null: anybody. */
    user_id: withDefault(orNull(uuid)),
    /** Number of the event that a reorg took back; null: an ordinary event. */
    retracts: orNull(int8),
    /** A reorg took it back; a later event tells that. */
    retracted: withDefault(bool),
    /**
     * As the wire has it, with `platform_id`; amounts are decimal digits. Of what people say and are told only ids: it is shown as it is
     * when somebody reads it.
     */
    data: json(),
    /** By the database's clock; the event is kept for 7 days from here, unless there are too many. */
    created_at: generated(time),
  }),
  /** Belongs to no block: claimed by a draft or at the first indexing, it survives a reorg. */
  token_slug: table(['slug'], {
    slug: text,
    token_id: uuid,
    claimed_at: generated(time),
  }),
  /** Written by `migrate`. */
  migration: table(['name'], {
    /** File name, without its folder. */
    name: text,
    /** Of its text, hex. */
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
