import { launchpadAbi } from '@mintage/protocol';
import { erc20Abi, parseAbi, toEventSelector } from 'viem';
import type { ChainEvent, LaunchpadEvent } from './events.ts';
import { type Hex, originOf, type RawLog } from './log.ts';
import { addressAt, intAt, numberAt, textAt, topicAddress, topicAt, uintAt, wordHexAt } from './words.ts';

/** Whose events count on a chain. Everything else that a provider sends is ignored. */
export interface AddressBook {
  launchpad: Hex;
  poolManager: Hex | null;
  /** Tokens that the launchpad created. Decoding adds those it meets. */
  tokens: Set<Hex>;
}

/** Uniswap v4's own event; the low 12 bits are the fee of a swap from currency 0 to 1, the high 12 bits the other way. */
const protocolFeesAbi = parseAbi(['event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)']);

export const abi = [...launchpadAbi, ...erc20Abi, ...protocolFeesAbi];

const topicOf = (name: ChainEvent['name']): Hex => {
  const event = abi.find((item) => item.type === 'event' && item.name === name);
  if (event === undefined) throw new Error(`the ABI has no event ${name}`);
  return toEventSelector(event as Parameters<typeof toEventSelector>[0]);
};

export const topics = {
  TokenCreated: topicOf('TokenCreated'),
  Trade: topicOf('Trade'),
  Completed: topicOf('Completed'),
  Graduated: topicOf('Graduated'),
  TreasuryCollected: topicOf('TreasuryCollected'),
  Withdrawn: topicOf('Withdrawn'),
  ReferrerSet: topicOf('ReferrerSet'),
  SettingChanged: topicOf('SettingChanged'),
  Transfer: topicOf('Transfer'),
  ProtocolFeeUpdated: topicOf('ProtocolFeeUpdated'),
} as const satisfies Record<ChainEvent['name'], Hex>;

/** Tokens that these logs create. */
export const createdTokens = (logs: readonly Pick<RawLog, 'address' | 'topics'>[], launchpad: Hex): Hex[] =>
  logs
    .filter((log) => log.address === launchpad && log.topics[0] === topics.TokenCreated)
    .map((log) => topicAddress(log.topics, 1));

/**
 * The events among `logs`, which must be in order: a token's transfers count from its creation on.
 *
 * @throws RangeError when a log of ours does not have the form of its event.
 */
export const decodeLogs = (logs: readonly RawLog[], book: AddressBook): ChainEvent[] => {
  const events: ChainEvent[] = [];
  for (const log of logs) {
    const event = decodeLog(log, book);
    if (event === undefined) continue;
    if (event.name === 'TokenCreated') book.tokens.add(event.token);
    events.push(event);
  }
  return events;
};

const decodeLog = (log: RawLog, book: AddressBook): ChainEvent | undefined => {
  const topic = log.topics[0];
  if (topic === undefined) return undefined;
  if (log.address === book.launchpad) return launchpadDecoders[topic]?.(log);
  if (topic === topics.Transfer && book.tokens.has(log.address)) return transfer(log);
  if (topic === topics.ProtocolFeeUpdated && log.address === book.poolManager) return protocolFeeUpdated(log);
  return undefined;
};

const longestName = 256;
const longestUri = 2048;

const launchpadDecoders: Record<string, ((log: RawLog) => LaunchpadEvent) | undefined> = {
  [topics.TokenCreated]: (log) => ({
    name: 'TokenCreated',
    at: originOf(log),
    token: topicAddress(log.topics, 1),
    creator: topicAddress(log.topics, 2),
    poolType: numberAt(log.data, 0),
    virtualTokens: uintAt(log.data, 1),
    virtualUsd: uintAt(log.data, 2),
    salt: wordHexAt(log.data, 3),
    // word 4, `created`, is the time of the block
    tokenName: textAt(log.data, 5, longestName),
    symbol: textAt(log.data, 6, longestName),
    uri: textAt(log.data, 7, longestUri),
  }),
  [topics.Trade]: (log) => ({
    name: 'Trade',
    at: originOf(log),
    token: topicAddress(log.topics, 1),
    trader: topicAddress(log.topics, 2),
    recipient: addressAt(log.data, 0),
    side: numberAt(log.data, 1) === 0 ? 'buy' : 'sell',
    venue: numberAt(log.data, 2) === 0 ? 'curve' : 'pool',
    foreignRouter: numberAt(log.data, 2) === 2,
    grossUsd: uintAt(log.data, 3),
    tokens: uintAt(log.data, 4),
    feeBps: numberAt(log.data, 5),
    base: uintAt(log.data, 6),
    excess: uintAt(log.data, 7),
    builder: addressAt(log.data, 8),
    builderBps: numberAt(log.data, 9),
    builderFee: uintAt(log.data, 10),
    referral: addressAt(log.data, 11),
    referrer: addressAt(log.data, 12),
    cashback: uintAt(log.data, 13),
    stateA: uintAt(log.data, 14),
    stateB: uintAt(log.data, 15),
    tick: intAt(log.data, 16),
  }),
  [topics.Completed]: (log) => ({ name: 'Completed', at: originOf(log), token: topicAddress(log.topics, 1) }),
  [topics.Graduated]: (log) => ({
    name: 'Graduated',
    at: originOf(log),
    token: topicAddress(log.topics, 1),
    poolId: topicAt(log.topics, 2),
    graduation: {
      sqrtPriceX96: uintAt(log.data, 0).toString(),
      tick: intAt(log.data, 1),
      fullRange: rangeAt(log.data, 2),
      floor: rangeAt(log.data, 5),
      usdLocked: uintAt(log.data, 8).toString(),
      tokensLocked: uintAt(log.data, 9).toString(),
      floorUsd: uintAt(log.data, 10).toString(),
      creatorReward: uintAt(log.data, 11).toString(),
      dustUsd: uintAt(log.data, 12).toString(),
      dustTokens: uintAt(log.data, 13).toString(),
    },
  }),
  [topics.TreasuryCollected]: (log) => ({
    name: 'TreasuryCollected',
    at: originOf(log),
    token: topicAddress(log.topics, 1),
    treasury: topicAddress(log.topics, 2),
    amount: uintAt(log.data, 0),
  }),
  [topics.Withdrawn]: (log) => ({
    name: 'Withdrawn',
    at: originOf(log),
    account: topicAddress(log.topics, 1),
    currency: topicAddress(log.topics, 2),
    to: addressAt(log.data, 0),
    amount: uintAt(log.data, 1),
  }),
  [topics.ReferrerSet]: (log) => ({
    name: 'ReferrerSet',
    at: originOf(log),
    user: topicAddress(log.topics, 1),
    referrer: topicAddress(log.topics, 2),
  }),
  [topics.SettingChanged]: (log) => ({
    name: 'SettingChanged',
    at: originOf(log),
    setting: Buffer.from(topicAt(log.topics, 1).slice(2), 'hex').toString('latin1').replace(/\0+$/, ''),
    value: addressAt(log.data, 0),
  }),
};

const rangeAt = (data: Hex, index: number) => ({
  tickLower: intAt(data, index),
  tickUpper: intAt(data, index + 1),
  liquidity: uintAt(data, index + 2).toString(),
});

const transfer = (log: RawLog): ChainEvent => ({
  name: 'Transfer',
  at: originOf(log),
  token: log.address,
  from: topicAddress(log.topics, 1),
  to: topicAddress(log.topics, 2),
  amount: uintAt(log.data, 0),
});

const protocolFeeUpdated = (log: RawLog): ChainEvent => ({
  name: 'ProtocolFeeUpdated',
  at: originOf(log),
  poolId: topicAt(log.topics, 1),
  protocolFee: numberAt(log.data, 0),
});
