import type { Address } from '../chains/address.ts';
import { formatUnits } from '../maths/decimal.ts';
import { totalSupply } from '../maths/poolTypes.ts';
import { usdIs0 } from '../maths/price.ts';

/**
 * What happened to a token, as `getTokenActivity` lists it and the stream `tokenActivity` tells it: one record per trade,
 * per transfer between wallets, per end of a transfer between chains, per deposit of liquidity and per graduation. Made from the rows of the chain tables, so
 * list and stream cannot differ. Source: wire contract, sections 6.4 and 9.4.
 */
export interface Activity {
  /** Stable and unique; see `activityKey`. */
  pk: string;
  /** Slug of the chain. */
  chain: string;
  /** Transaction of the event: 0x and 64 hex digits. */
  tx_hash: string;
  /** Lower case. */
  token_address: string;
  activity_type: 'trade' | 'transfer' | 'lp' | 'lifecycle';
  activity_subtype: 'buy' | 'sell' | 'local' | 'cross_chain_sent' | 'cross_chain_received' | 'deposit' | 'graduation';
  evt_block_number: number;
  /** Index of the log in its block. */
  evt_index: number;
  /** ISO 8601, UTC. */
  evt_block_time: string;
  platform_id: string;
  /** False of a graduation; null of all others. */
  is_external: boolean | null;
  /** Trader of a trade; the Launchpad of a deposit. Here and below: lower case, null where the kind has none. */
  wallet: string | null;
  trader: string | null;
  /** Who receives what a trade brings. */
  receiver: string | null;
  /** Of a swap by a foreign router its address; `trader` then only sent the transaction. */
  router: string | null;
  from_address: string | null;
  to_address: string | null;
  /** Here and below: decimal in whole units, and in base units under `_raw`; a price's `_raw` is USD with 18 fraction digits. */
  token_amount: string | null;
  token_amount_raw: string | null;
  usd_amount: string | null;
  usd_amount_raw: string | null;
  price_usd: string | null;
  price_usd_raw: string | null;
  market_cap_usd: string | null;
  market_cap_usd_raw: string | null;
  /** Pool id; null on the curve. */
  pool: string | null;
  /** Liquidity has no unit, so both are the same digits. */
  liquidity_amount: string | null;
  liquidity_amount_raw: string | null;
  /** What a deposit put in of the pool's currency 0. */
  amount0: string | null;
  amount0_raw: string | null;
  /** What a deposit put in of the pool's currency 1. */
  amount1: string | null;
  amount1_raw: string | null;
  /** LayerZero's id of the message of a transfer between chains; the two below are decimal endpoint ids. */
  guid: string | null;
  src_eid: string | null;
  dst_eid: string | null;
  /** Tokens that the curve sold, and USD that it held, at graduation. */
  final_supply: string | null;
  final_supply_raw: string | null;
  final_reserves: string | null;
  final_reserves_raw: string | null;
  token_decimals: string | null;
  price_usd_at_event: string | null;
  price_usd_at_event_raw: string | null;
  usd_value: string | null;
  usd_value_raw: string | null;
}

/** Columns of the rows that a record is made of: of `chain`, `token`, `trade` and `transfer`. */
export interface ActivityChain {
  slug: string;
  /** Of the dollar token. */
  usd: Address;
  /** Decimals of its base units. */
  usd_decimals: number;
  /** Of the base units of the chain's tokens. */
  token_decimals: number;
  /** Lower case. */
  launchpad: string;
}
export interface ActivityToken {
  address: Address;
  platform_id: string;
  pool_id: string | null;
}
interface At {
  block_number: number;
  log_index: number;
  tx_hash: string;
  time: Date;
}
export interface ActivityTrade extends At {
  trader: string;
  recipient: string;
  side: 'buy' | 'sell';
  venue: 'curve' | 'pool';
  foreign_router: boolean;
  /** USD base units, fees included. */
  gross_usd: bigint;
  /** Base units. */
  tokens: bigint;
  /** USD per whole token after the trade, 18 fraction digits. */
  price_usd18: bigint;
}
export interface ActivityTransfer extends At {
  sender: string;
  recipient: string;
  /** Base units. */
  amount: bigint;
}
/** One end of a transfer between chains. */
interface ActivityCrossing extends At {
  recipient: string;
  /** Base units. */
  amount: bigint;
  guid: string;
}
export type ActivityBridge = ActivityCrossing & ({ sender: string; dst_eid: number } | { src_eid: number });
/** `token.graduation` as the index keeps it: amounts are base units in decimal text. */
export interface ActivityGraduation {
  txHash: string;
  blockNumber: number;
  logIndex: number;
  /** Absent of a pool of our own, which counts no liquidity. */
  fullRange?: { liquidity: string };
  usdLocked: string;
  tokensLocked: string;
  floorUsd: string;
  creatorReward: string;
  dustUsd: string;
  dustTokens: string;
}

/**
 * One key per log and kind, because a graduation is two records. It names the transaction, not the block: a transaction
 * that a reorg moves to another block at the same place keeps its key, and a list that goes by keys shows it once.
 */
export const activityKey = (chain: string, txHash: string, logIndex: number, type: Activity['activity_type']): string =>
  `${chain}:${txHash}:${logIndex}:${type}`;

export const tradeActivity = (chain: ActivityChain, token: ActivityToken, trade: ActivityTrade): Activity => ({
  ...blank(chain, token, trade, 'trade', trade.side),
  wallet: trade.trader,
  trader: trade.trader,
  receiver: trade.recipient,
  router: trade.foreign_router ? trade.recipient : null,
  ...both('token_amount', trade.tokens, chain.token_decimals),
  ...both('usd_amount', trade.gross_usd, chain.usd_decimals),
  ...both('price_usd', trade.price_usd18, 18),
  ...both('market_cap_usd', trade.price_usd18 * totalSupply, 18),
  pool: trade.venue === 'pool' ? token.pool_id : null,
  token_decimals: String(chain.token_decimals),
});

/** Of a transfer between wallets; the legs of trades and creations are no activity. */
export const transferActivity = (chain: ActivityChain, token: ActivityToken, transfer: ActivityTransfer): Activity => ({
  ...blank(chain, token, transfer, 'transfer', 'local'),
  from_address: transfer.sender,
  to_address: transfer.recipient,
  ...both('token_amount', transfer.amount, chain.token_decimals),
  token_decimals: String(chain.token_decimals),
});

/** Of tokens that left for another chain or arrived from one; `chain` is where this end is. */
export const bridgeActivity = (
  chain: ActivityChain & { eid: number },
  token: ActivityToken,
  crossing: ActivityBridge,
): Activity => {
  const isSent = 'dst_eid' in crossing;
  return {
    ...blank(chain, token, crossing, 'transfer', isSent ? 'cross_chain_sent' : 'cross_chain_received'),
    from_address: isSent ? crossing.sender : null,
    to_address: crossing.recipient,
    ...both('token_amount', crossing.amount, chain.token_decimals),
    token_decimals: String(chain.token_decimals),
    guid: crossing.guid,
    src_eid: String(isSent ? chain.eid : crossing.src_eid),
    dst_eid: String(isSent ? crossing.dst_eid : chain.eid),
  };
};

/** The deposit into the pool, full range and floor together, then the graduation itself: both by one log. */
export const graduationActivities = (
  chain: ActivityChain,
  token: ActivityToken,
  graduation: ActivityGraduation,
  time: Date,
): [deposit: Activity, graduation: Activity] => {
  const { txHash, blockNumber, logIndex } = graduation;
  const at = { block_number: blockNumber, log_index: logIndex, tx_hash: txHash, time };
  const usd = { amount: BigInt(graduation.usdLocked) + BigInt(graduation.floorUsd), decimals: chain.usd_decimals };
  const tokens = { amount: BigInt(graduation.tokensLocked), decimals: chain.token_decimals };
  const [zero, one] = usdIs0(token.address, chain.usd) ? [usd, tokens] : [tokens, usd];
  const liquidity = graduation.fullRange?.liquidity ?? null;
  const sold = totalSupply * 10n ** BigInt(chain.token_decimals) - tokens.amount - BigInt(graduation.dustTokens);
  const held = usd.amount + BigInt(graduation.creatorReward) + BigInt(graduation.dustUsd);
  return [
    {
      ...blank(chain, token, at, 'lp', 'deposit'),
      wallet: chain.launchpad,
      pool: token.pool_id,
      liquidity_amount: liquidity,
      liquidity_amount_raw: liquidity,
      ...both('amount0', zero.amount, zero.decimals),
      ...both('amount1', one.amount, one.decimals),
    },
    {
      ...blank(chain, token, at, 'lifecycle', 'graduation'),
      is_external: false,
      ...both('final_supply', sold, chain.token_decimals),
      ...both('final_reserves', held, chain.usd_decimals),
    },
  ];
};

const both = <Name extends string>(name: Name, baseUnits: bigint, decimals: number) =>
  ({ [name]: formatUnits(baseUnits, decimals), [`${name}_raw`]: baseUnits.toString() }) as Record<
    Name | `${Name}_raw`,
    string
  >;

const blank = (
  chain: ActivityChain,
  token: ActivityToken,
  at: At,
  type: Activity['activity_type'],
  subtype: Activity['activity_subtype'],
): Activity => ({
  pk: activityKey(chain.slug, at.tx_hash, at.log_index, type),
  chain: chain.slug,
  tx_hash: at.tx_hash,
  token_address: token.address,
  activity_type: type,
  activity_subtype: subtype,
  evt_block_number: at.block_number,
  evt_index: at.log_index,
  evt_block_time: at.time.toISOString(),
  platform_id: token.platform_id,
  is_external: null,
  wallet: null,
  trader: null,
  receiver: null,
  router: null,
  from_address: null,
  to_address: null,
  token_amount: null,
  token_amount_raw: null,
  usd_amount: null,
  usd_amount_raw: null,
  price_usd: null,
  price_usd_raw: null,
  market_cap_usd: null,
  market_cap_usd_raw: null,
  pool: null,
  liquidity_amount: null,
  liquidity_amount_raw: null,
  amount0: null,
  amount0_raw: null,
  amount1: null,
  amount1_raw: null,
  guid: null,
  src_eid: null,
  dst_eid: null,
  final_supply: null,
  final_supply_raw: null,
  final_reserves: null,
  final_reserves_raw: null,
  token_decimals: null,
  price_usd_at_event: null,
  price_usd_at_event_raw: null,
  usd_value: null,
  usd_value_raw: null,
});
