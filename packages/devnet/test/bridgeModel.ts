import { crossingAmountDown } from '@mintage/protocol';

/**
 * What the bridges of several chains do to one token, as `TokenBridge.sol` counts it: what is out, a tenth of the supply an
 * hour on each path and direction, millionths of a token. Amounts are base units, times Unix seconds.
 */
export interface Message {
  from: number;
  to: number;
  amount: bigint;
}

interface Path {
  out: bigint;
  sent: bigint;
  received: bigint;
  at: bigint;
}

const made = 10n ** 27n;
const unit = 10n ** 12n;
/** In units, as the contract counts them. */
const limitUnits = made / 10n / unit;
const hour = 3_600n;

export type Refusal = 'dust' | 'limit' | 'through home' | 'more than out' | 'delivered' | 'balance';

export class BridgeModel {
  readonly supplies: bigint[];
  /** Sent and not delivered. */
  readonly inFlight = new Set<Message>();
  readonly #home: number;
  readonly #paths = new Map<string, Path>();
  /** By chain, of the one holder. */
  readonly #held: bigint[];

  /** @param held - What the holder has at home. */
  constructor(chains: number, home: number, held: bigint) {
    this.#home = home;
    this.supplies = Array.from({ length: chains }, (_, chain) => (chain === home ? made : 0n));
    this.#held = Array.from({ length: chains }, (_, chain) => (chain === home ? held : 0n));
  }

  heldOn(chain: number): bigint {
    return this.#held[chain] as bigint;
  }

  /** What the home counts as out on another chain. */
  outOn(chain: number): bigint {
    return this.#pathOn(this.#home, chain, 0n).out * unit;
  }

  send(from: number, to: number, amount: bigint, time: bigint): Message | Refusal {
    if (from !== this.#home && to !== this.#home) return 'through home';
    const path = this.#pathOn(from, to, time);
    const units = amount / unit;
    if (units === 0n) return 'dust';
    if (units > limitUnits - path.sent) return 'limit';
    const moved = crossingAmountDown(amount);
    if (moved > this.heldOn(from)) return 'balance';
    path.sent += units;
    if (from === this.#home) path.out += units;
    this.#add(from, -moved);
    const message = { from, to, amount: moved };
    this.inFlight.add(message);
    return message;
  }

  deliver(message: Message, time: bigint): 'delivered now' | Refusal {
    if (!this.inFlight.has(message)) return 'delivered';
    const { from, to, amount } = message;
    const path = this.#pathOn(to, from, time);
    const units = amount / unit;
    if (units > limitUnits - path.received) return 'limit';
    if (to === this.#home && units > path.out) return 'more than out';
    path.received += units;
    this.#arrive(message, path);
    return 'delivered now';
  }

  /** For a chain that has brought all of them, at times that nobody noted: what comes in counts against no limit. */
  allArrived(): void {
    for (const message of Array.from(this.inFlight)) this.#arrive(message, this.#pathOn(message.to, message.from, 0n));
  }

  #arrive(message: Message, path: Path): void {
    const { to, amount } = message;
    if (to === this.#home) path.out -= amount / unit;
    this.#add(to, amount);
    this.inFlight.delete(message);
  }

  /** What must always hold; empty when it does. */
  broken(): string[] {
    const others = this.supplies.map((_, chain) => chain).filter((chain) => chain !== this.#home);
    const out = others.reduce((sum, chain) => sum + this.outOn(chain), 0n);
    const flying = [...this.inFlight].reduce((sum, { amount }) => sum + amount, 0n);
    const total = this.supplies.reduce((sum, supply) => sum + supply, 0n);
    return [
      ...((this.supplies[this.#home] as bigint) + out === made ? [] : ['I1: home and out are not the whole']),
      ...(total + flying === made ? [] : ['I2: supplies and what is on its way are not the whole']),
      ...others.flatMap((chain) =>
        (this.supplies[chain] as bigint) <= this.outOn(chain) ? [] : [`I3: too many on chain ${chain}`],
      ),
    ];
  }

  #add(chain: number, amount: bigint): void {
    this.supplies[chain] = (this.supplies[chain] as bigint) + amount;
    this.#held[chain] = this.heldOn(chain) + amount;
  }

  /** As of this time; one earlier than what was seen counts as that. */
  #pathOn(chain: number, other: number, time: bigint): Path {
    const key = `${chain} ${other}`;
    const path = this.#paths.get(key) ?? { out: 0n, sent: 0n, received: 0n, at: 0n };
    const regained = time > path.at ? (limitUnits * (time - path.at)) / hour : 0n;
    path.sent = path.sent > regained ? path.sent - regained : 0n;
    path.received = path.received > regained ? path.received - regained : 0n;
    if (time > path.at) path.at = time;
    this.#paths.set(key, path);
    return path;
  }
}
