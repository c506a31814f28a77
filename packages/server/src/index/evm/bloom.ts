import { type Hex, keccak256 } from 'viem';

/**
 * The bloom filter of a block header (Ethereum yellow paper, 4.4.3): every address and topic of the block's logs sets
 * three of 2048 bits. An entry that the filter lacks is not in the block; one that it has may be.
 */
const bytes = 256;

interface Loggish {
  address: Hex;
  topics: readonly Hex[];
}

/** Bits of an address or topic, as three pairs of byte and mask; cached, because they are needed again and again. */
const known = new Map<Hex, Uint16Array>();
const mostKnown = 200_000;

const bitsOf = (item: Hex): Uint16Array => {
  const found = known.get(item);
  if (found !== undefined) return found;
  const hash = keccak256(item, 'bytes');
  const bits = new Uint16Array(6);
  for (let i = 0; i < 3; i += 1) {
    const bit = (((hash[2 * i] as number) << 8) | (hash[2 * i + 1] as number)) & 2047;
    bits[2 * i] = bytes - 1 - (bit >> 3);
    bits[2 * i + 1] = 1 << (bit & 7);
  }
  if (known.size >= mostKnown) known.clear();
  known.set(item, bits);
  return bits;
};

/** A header's bloom filter, ready for look-ups. */
export class Bloom {
  readonly #filter: Uint8Array;
  /** Probability that an address or topic that is not in the block seems to be. */
  readonly falseChance: number;

  constructor(hex: Hex) {
    this.#filter = Buffer.from(hex.slice(2), 'hex');
    let ones = 0;
    for (const byte of this.#filter) for (let rest = byte; rest > 0; rest &= rest - 1) ones += 1;
    this.falseChance = (ones / (8 * bytes)) ** 3;
  }

  mayHave(item: Hex): boolean {
    const bits = bitsOf(item);
    for (let i = 0; i < 6; i += 2) {
      if (((this.#filter[bits[i] as number] as number) & (bits[i + 1] as number)) === 0) return false;
    }
    return true;
  }
}

export const bloomOf = (logs: readonly Loggish[]): Hex => {
  const filter = Buffer.alloc(bytes);
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      const bits = bitsOf(item);
      for (let i = 0; i < 6; i += 2) filter[bits[i] as number]! |= bits[i + 1] as number;
    }
  }
  return `0x${filter.toString('hex')}`;
};

/** Whether every bit of `part` is in `whole`. */
export const contains = (whole: Hex, part: Hex): boolean => {
  const [a, b] = [Buffer.from(whole.slice(2), 'hex'), Buffer.from(part.slice(2), 'hex')];
  return b.every((byte, i) => (byte & ~(a[i] as number)) === 0);
};
