/**
 * The three kinds of curve. Amounts are whole units here; `curveOf` scales them. The curve's last price is the pool's
 * first price. Source: design 4.1; contracts/src/libraries.
 */
export interface PoolType {
  /** Number of the type in the contracts and on the wire. */
  id: 7 | 8 | 9;
  /** Name of the type on the wire. */
  slug: 'meme' | 'startup-preseed' | 'test';
  /** Tokens sold on the curve. */
  curveTokens: bigint;
  /** Tokens that go to the pool at graduation. */
  poolTokens: bigint;
  /** A of an untouched curve. */
  virtualTokens: bigint;
  /** B of an untouched curve. */
  virtualUsd: bigint;
  /** Net USD in a curve that sold everything, before rounding. */
  raiseUsd: bigint;
  /** Paid to the creator out of the raise at graduation. */
  creatorRewardUsd: bigint;
}

/** Every token has this supply, in whole tokens. */
export const totalSupply = 1_000_000_000n;

export const poolTypes: readonly PoolType[] = [
  {
    id: 7,
    slug: 'meme',
    curveTokens: 750_000_000n,
    poolTokens: 250_000_000n,
    virtualTokens: 1_125_000_000n,
    virtualUsd: 12_500n,
    raiseUsd: 25_000n,
    creatorRewardUsd: 0n,
  },
  {
    id: 8,
    slug: 'startup-preseed',
    curveTokens: 800_000_000n,
    poolTokens: 200_000_000n,
    virtualTokens: 1_280_000_000n,
    virtualUsd: 18_000n,
    raiseUsd: 30_000n,
    creatorRewardUsd: 10_000n,
  },
  {
    id: 9,
    slug: 'test',
    curveTokens: 750_000_000n,
    poolTokens: 250_000_000n,
    virtualTokens: 1_125_000_000n,
    virtualUsd: 125n,
    raiseUsd: 250n,
    creatorRewardUsd: 0n,
  },
];

/** Undefined for an id that no deployment knows. */
export const poolTypeById = (id: number): PoolType | undefined => poolTypes.find((type) => type.id === id);

export const poolTypeBySlug = (slug: PoolType['slug']): PoolType =>
  poolTypes.find((type) => type.slug === slug) as PoolType;
