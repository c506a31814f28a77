import type { Address } from '../chains/address.ts';
import type { Eid } from '../chains/chains.ts';
import { totalSupply } from './poolTypes.ts';

/** What one chain says of the tokens that ever crossed to or from it, at one block. Amounts are base units. */
export interface SupplyReading {
  eid: Eid;
  /** Of its tokens, the same on every chain that they cross to. */
  tokenDecimals: number;
  tokens: readonly ReadSupply[];
}

export interface ReadSupply {
  token: Address;
  home: Eid;
  supply: bigint;
  /** What the home counts as out, by chain; empty on any other chain. */
  out: ReadonlyMap<Eid, bigint>;
}

/** One token over all chains that were read. */
export interface CrossedSupply {
  token: Address;
  home: Eid;
  homeSupply: bigint;
  /** `supply` is null where the chain was not read. */
  away: readonly { eid: Eid; out: bigint; supply: bigint | null }[];
  /** Out by the home's count, and on none of the chains that were read: on its way, in either direction. */
  inFlight: bigint;
  /** What home has and counts as out, less the supply that every token is made with: always 0. */
  gap: bigint;
}

/** The tokens whose home was read, by home and address. */
export const crossedSupplies = (readings: readonly SupplyReading[]): CrossedSupply[] => {
  const read = new Map(
    readings.map(({ eid, tokens }): [Eid, OfTokens] => [eid, new Map(tokens.map((one) => [one.token, one]))]),
  );
  const made = new Map(readings.map(({ eid, tokenDecimals }) => [eid, totalSupply * 10n ** BigInt(tokenDecimals)]));
  const known = new Map(readings.flatMap(({ tokens }) => tokens.map(({ token, home }) => [token, home])));
  return [...known]
    .filter(([, home]) => read.has(home))
    .toSorted(([token, home], [other, otherHome]) => home - otherHome || (token < other ? -1 : 1))
    .map(([token, home]) => {
      const all = made.get(home) as bigint;
      // Of what never crossed nothing is out, and nothing was burned.
      const { supply: homeSupply, out } = read.get(home)?.get(token) ?? { supply: all, out: new Map<Eid, bigint>() };
      const away = awayOf(read, token, home, out);
      return {
        token,
        home,
        homeSupply,
        away,
        inFlight: sum(away.map((on) => (on.supply === null ? 0n : on.out - on.supply))),
        gap: homeSupply + sum(away.map((on) => on.out)) - all,
      };
    });
};

type OfTokens = ReadonlyMap<Address, ReadSupply>;

const awayOf = (
  read: ReadonlyMap<Eid, OfTokens>,
  token: Address,
  home: Eid,
  out: ReadonlyMap<Eid, bigint>,
): CrossedSupply['away'] => {
  const living = [...read].filter(([, tokens]) => tokens.has(token)).map(([eid]) => eid);
  return [...new Set([...out.keys(), ...living])]
    .filter((eid) => eid !== home)
    .map((eid) => {
      const there = read.get(eid);
      // A chain that was read and never heard of the token has none of it.
      return { eid, out: out.get(eid) ?? 0n, supply: there === undefined ? null : (there.get(token)?.supply ?? 0n) };
    });
};

/** Home lost no count, and no other chain has more than went there. */
export const isConstant = ({ gap, away }: CrossedSupply): boolean =>
  gap === 0n && away.every(({ out, supply }) => supply === null || supply <= out);

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const mostReadings = 3;
const pauseMs = 700;

/**
 * Readings of two chains are never of one moment: a token may leave between them, and seem to be too many. What is wrong stays
 * wrong, so it is believed when it is read again and again.
 *
 * @param readAll - Reads every chain that answers.
 * @param pause - Waits so many milliseconds.
 */
export const settledSupplies = async (
  readAll: () => Promise<readonly SupplyReading[]>,
  pause: (ms: number) => Promise<unknown>,
): Promise<{ readings: readonly SupplyReading[]; tokens: CrossedSupply[] }> => {
  for (let count = 1; ; count += 1) {
    const readings = await readAll();
    const tokens = crossedSupplies(readings);
    if (count === mostReadings || tokens.every(isConstant)) return { readings, tokens };
    await pause(pauseMs);
  }
};
