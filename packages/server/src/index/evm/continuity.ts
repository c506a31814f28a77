import type { Address } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { RawLog } from '../events/evm/log.ts';
import { tradeWords } from '../events/evm/tradeWords.ts';
import { signedAt, topicAddress, uintAt, wordOf } from '../events/evm/words.ts';
import type { Contracts } from './addressBook.ts';
import { topics } from './topics.ts';

/** A range of blocks in which the logs are inconsistent for at least one block. */
export interface Gap {
  /** Block numbers, both inclusive. */
  from: number;
  to: number;
}

/** What the logs of one transaction say about one token, base units. */
interface Movement {
  /** Bought on the curve. */
  bought: bigint;
  sold: bigint;
  /** Sent by the launchpad. */
  sent: bigint;
  /** Received by the launchpad. */
  received: bigint;
  /** Bought from the pool by trades, less what was sold to it. */
  pooledByTrades: bigint;
  /** Sent by the PoolManager or the pool, less what it received. */
  pooledByTransfers: bigint;
  /** The curve's last token was bought. */
  completed: boolean;
  graduated: boolean;
}

/**
 * Detects missing or altered logs without further requests, because trades carry redundant data. A trade on the curve
 * continues from the state that the trade before it left, and in its transaction the launchpad sends or receives
 * exactly its tokens, which it otherwise does only at graduation. For a trade in the pool, the PoolManager does, or the
 * pool itself, which then tells of every swap. Giving tokens to one of them, adding them to a pool, or trading them in
 * another pool, raises a false alarm, which costs one extra check.
 */
export class Continuity {
  readonly #launchpad: Hex;
  readonly #usd: Hex;
  /** Addresses in the form of topics. */
  readonly #launchpadWord: Hex;
  readonly #poolManagerWord: Hex | null;
  /** By token: virtual tokens after its last trade on the curve, and the block of that trade. */
  readonly #left = new Map<Address, { block: number; virtualTokens: bigint }>();

  constructor({ launchpad, poolManager, usd }: Pick<Contracts, 'launchpad' | 'poolManager' | 'usd'>) {
    this.#launchpad = launchpad;
    this.#usd = usd;
    this.#launchpadWord = wordOf(launchpad);
    this.#poolManagerWord = poolManager && wordOf(poolManager);
  }

  /**
   * @param logs - In order, continuing the logs of the previous call.
   * @param pools - Tokens by their pool, where that is a contract of its own.
   */
  gaps(logs: readonly RawLog[], pools: ReadonlyMap<Hex, Hex> = new Map()): Gap[] {
    const gaps: Gap[] = [];
    const poolWords = new Map(Array.from(pools, ([pool, token]) => [token, wordOf(pool)]));
    const movements = new Map<Address, Movement>();
    for (const [i, log] of logs.entries()) {
      const here = { from: log.blockNumber, to: log.blockNumber };
      try {
        const poolToken = pools.get(log.address);
        if (log.topics[0] === topics.Transfer) {
          this.#noteTransfer(log, movements, this.#poolManagerWord ?? poolWords.get(log.address) ?? null);
        } else if (log.address === this.#launchpad) gaps.push(...this.#noteEvent(log, movements));
        else if (poolToken !== undefined)
          movementOf(movements, poolToken).pooledByTrades += this.#tokensOut(log, poolToken);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        gaps.push(here); // the log does not match its event
      }
      if (logs[i + 1]?.txHash === log.txHash) continue;
      for (const movement of movements.values()) if (!fits(movement)) gaps.push(here);
      movements.clear();
    }
    return merged(gaps);
  }

  /** Tokens that a swap took out of the pool. */
  #tokensOut({ data }: RawLog, token: Hex): bigint {
    return -signedAt(data, this.#usd < token ? 1 : 0);
  }

  #noteTransfer(log: RawLog, movements: Map<Address, Movement>, poolWord: Hex | null): void {
    const [, from, to] = log.topics;
    const amount = () => uintAt(log.data, 0);
    if (from === this.#launchpadWord) movementOf(movements, log.address).sent += amount();
    if (to === this.#launchpadWord && from !== zeroWord) movementOf(movements, log.address).received += amount();
    if (from === poolWord) movementOf(movements, log.address).pooledByTransfers += amount();
    if (to === poolWord) movementOf(movements, log.address).pooledByTransfers -= amount();
  }

  #noteEvent(log: RawLog, movements: Map<Address, Movement>): Gap[] {
    const topic = log.topics[0];
    if (topic === topics.Completed) movementOf(movements, topicAddress(log.topics, 1)).completed = true;
    if (topic === topics.Graduated) movementOf(movements, topicAddress(log.topics, 1)).graduated = true;
    if (topic === topics.TokenCreated) this.#leave(topicAddress(log.topics, 1), log, uintAt(log.data, 1));
    if (topic !== topics.Trade) return [];
    const { venue, tokens, stateA: virtualTokens } = tradeWords(log);
    const token = topicAddress(log.topics, 1);
    const movement = movementOf(movements, token);
    if (venue !== 0) {
      if (this.#poolManagerWord !== null) movement.pooledByTrades += tokens;
      return [];
    }
    if (tokens < 0n) movement.sold -= tokens;
    else movement.bought += tokens;

    const before = this.#left.get(token);
    this.#leave(token, log, virtualTokens);
    const follows = before === undefined || before.virtualTokens - tokens === virtualTokens;
    return follows ? [] : [{ from: before.block, to: log.blockNumber }];
  }

  #leave(token: Address, log: RawLog, virtualTokens: bigint): void {
    this.#left.set(token, { block: log.blockNumber, virtualTokens });
  }
}

const zeroWord = wordOf('0x');

const fits = (of: Movement): boolean =>
  of.received === of.sold &&
  (!of.completed || of.bought > 0n) &&
  (of.graduated ? of.sent >= of.bought : of.sent === of.bought && of.pooledByTransfers === of.pooledByTrades);

const movementOf = (movements: Map<Address, Movement>, token: Address): Movement => {
  const known = movements.get(token);
  if (known !== undefined) return known;
  const none: Movement = {
    bought: 0n,
    sold: 0n,
    sent: 0n,
    received: 0n,
    pooledByTrades: 0n,
    pooledByTransfers: 0n,
    completed: false,
    graduated: false,
  };
  movements.set(token, none);
  return none;
};

/** Merges ranges: sorted, without overlaps. */
export const merged = (gaps: readonly Gap[]): Gap[] => {
  const result: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && gap.from <= last.to + 1) last.to = Math.max(last.to, gap.to);
    else result.push({ ...gap });
  }
  return result;
};
