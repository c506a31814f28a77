/** Seeded random numbers: the same seed gives the same cases on every machine. Not for secrets. */
export interface Random {
  /** Whole number from 0 to `below - 1`; `below` at most 2^32. */
  int: (below: number) => number;
  chance: (oneIn: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  /** Uniform from `min` to `max`, both included. */
  between: (min: bigint, max: bigint) => bigint;
  /** From 1 to `max`, every order of magnitude alike. */
  scaled: (max: bigint) => bigint;
}

export const randomFrom = (seed: number): Random => {
  // sfc32, three words from the seed and a counter.
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();

  const int = (below: number): number => Math.floor((next() / 4_294_967_296) * below);
  const between = (min: bigint, max: bigint): bigint => {
    const span = max - min + 1n;
    let value = 0n;
    for (let bits = 0; bits < span.toString(2).length + 32; bits += 32) value = (value << 32n) | BigInt(next());
    return min + (value % span);
  };
  return {
    int,
    chance: (oneIn) => int(oneIn) === 0,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    between,
    scaled: (max) => {
      const top = between(0n, BigInt(max.toString(2).length - 1));
      const value = between(1n << top, (1n << (top + 1n)) - 1n);
      return value > max ? max : value;
    },
  };
};

/** Seed and size of a random test: `SEED` and `CASES` in the environment, and printed, so that a failure can be repeated. */
export const campaign = (name: string, cases: number): { random: Random; cases: number; seed: number } => {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() % 4_294_967_296));
  const size = Number(process.env.CASES ?? cases);
  console.log(`${name}: SEED=${seed} CASES=${size}`);
  return { random: randomFrom(seed), cases: size, seed };
};
