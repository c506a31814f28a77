import { topics } from '../events/decode.ts';
import type { Hex, RawLog } from '../events/log.ts';
import { numberAt, topicAddress, uintAt } from '../events/words.ts';

/** Blocks of which at least one cannot be as the logs say. */
export interface Gap {
  from: number;
  to: number;
}

/** What the logs of one transaction say about one token, base units. */
interface Movement {
  bought: bigint;
  sold: bigint;
  /** By the launchpad. */
  sent: bigint;
  /** By the launchpad; anyone may send it more than he sells. */
  received: bigint;
  graduated: boolean;
}

/**
 * Signs of a missing or changed log that cost nothing to look for, because a trade on the curve says more than it needs
 * to: it moves the curve by its tokens from where the trade before it left it, and in its own transaction the launchpad
 * sends or receives these tokens, which it does for no other reason but a graduation. Only the launchpad itself could
 * cause a false sign.
 */
export class Continuity {
  readonly #launchpad: Hex;
  /** As a topic. */
  readonly #launchpadWord: Hex;
  /** By token: virtual tokens after its last trade on the curve, and the block of that trade. */
  readonly #left = new Map<Hex, { block: number; virtualTokens: bigint }>();

  constructor(launchpad: Hex) {
    this.#launchpad = launchpad;
    this.#launchpadWord = wordOf(launchpad);
  }

  /** @param logs - In order, following those of the call before. */
  gaps(logs: readonly RawLog[]): Gap[] {
    const gaps: Gap[] = [];
    const movements = new Map<Hex, Movement>();
    for (const [i, log] of logs.entries()) {
      const here = { from: log.blockNumber, to: log.blockNumber };
      try {
        if (log.topics[0] === topics.Transfer) this.#noteTransfer(log, movements);
        else if (log.address === this.#launchpad) gaps.push(...this.#noteEvent(log, movements));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        gaps.push(here); // it does not have the form of its event
      }
      if (logs[i + 1]?.txHash === log.txHash) continue;
      for (const movement of movements.values()) if (!fits(movement)) gaps.push(here);
      movements.clear();
    }
    return merged(gaps);
  }

  #noteTransfer(log: RawLog, movements: Map<Hex, Movement>): void {
    const [, from, to] = log.topics;
    if (from === this.#launchpadWord) movementOf(movements, log.address).sent += uintAt(log.data, 0);
    if (to === this.#launchpadWord && from !== zeroWord) {
      movementOf(movements, log.address).received += uintAt(log.data, 0);
    }
  }

  #noteEvent(log: RawLog, movements: Map<Hex, Movement>): Gap[] {
    const topic = log.topics[0];
    if (topic === topics.Graduated) movementOf(movements, topicAddress(log.topics, 1)).graduated = true;
    if (topic === topics.TokenCreated) this.#leave(topicAddress(log.topics, 1), log, uintAt(log.data, 1));
    const isOnCurve = topic === topics.Trade && numberAt(log.data, 2) === 0;
    return isOnCurve ? this.#noteTrade(log, movements) : [];
  }

  #noteTrade(log: RawLog, movements: Map<Hex, Movement>): Gap[] {
    const token = topicAddress(log.topics, 1);
    const isBuy = numberAt(log.data, 1) === 0;
    const tokens = uintAt(log.data, 4);
    const movement = movementOf(movements, token);
    if (isBuy) movement.bought += tokens;
    else movement.sold += tokens;

    const virtualTokens = uintAt(log.data, 14);
    const before = this.#left.get(token);
    this.#leave(token, log, virtualTokens);
    const follows = before === undefined || before.virtualTokens + (isBuy ? -tokens : tokens) === virtualTokens;
    return follows ? [] : [{ from: before.block, to: log.blockNumber }];
  }

  #leave(token: Hex, log: RawLog, virtualTokens: bigint): void {
    this.#left.set(token, { block: log.blockNumber, virtualTokens });
  }
}

const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const zeroWord = wordOf('0x');

const fits = ({ bought, sold, sent, received, graduated }: Movement): boolean =>
  received >= sold && (graduated ? sent >= bought : sent === bought);

const movementOf = (movements: Map<Hex, Movement>, token: Hex): Movement => {
  const known = movements.get(token);
  if (known !== undefined) return known;
  const none = { bought: 0n, sold: 0n, sent: 0n, received: 0n, graduated: false };
  movements.set(token, none);
  return none;
};

/** Without overlaps, in order. */
export const merged = (gaps: readonly Gap[]): Gap[] => {
  const result: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && gap.from <= last.to + 1) last.to = Math.max(last.to, gap.to);
    else result.push({ ...gap });
  }
  return result;
};
