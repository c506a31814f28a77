import type { Address, Chain, Slug } from '@mintage/protocol';
import { keccak256, stringToHex } from 'viem';
import type { DevAccountName } from './accounts.ts';

/** What happens to a seeded token after its creation, one block each, a minute apart. Dollars are whole dollars. */
export type SeedStep =
  | { who: DevAccountName; buyUsd: number; builderBps?: number; referred?: true }
  | { who: DevAccountName; sellPercent: number; builderBps?: number }
  /** A buy in the pool by a foreign router. */
  | { who: DevAccountName; foreignBuyUsd: number };

export interface SeedToken {
  name: string;
  symbol: string;
  description: string;
  /** CSS colour of the logo. */
  colour: string;
  tags: readonly string[];
  /** Pool type id; 9 (`test`) is left out on mainnets. */
  poolType: 7 | 8 | 9;
  creator: DevAccountName;
  /** Bought by the creator in the creation itself, at the fee of second 0. */
  initialBuyUsd?: number;
  steps: readonly SeedStep[];
  /** Stage of the token after its steps. */
  stage: 'new' | 'graduating' | 'graduated';
}

/** The chain on which seeded tokens have their plain names, which guides and examples use. */
export const firstSeeded: Slug = 'base-sepolia';

export interface SeedOptions {
  /** The token's metadata address, asked before each creation; absent: one that nobody serves. */
  uriOf?: (token: SeedToken) => Promise<string>;
}

/** What the list of seeded tokens depends on. */
interface SeededChain {
  chain: Pick<Chain, 'slug' | 'name' | 'testnet'>;
}

/** A local chain of any family, as far as seeded tokens depend on it. */
export interface SeedPlace {
  chain: Chain;
  /** Where a seeded token is or will be, and who creates it. */
  placeOf(token: SeedToken): Promise<{ address: Address; creator: Address }>;
}

/**
 * The seeded tokens that this chain's deployment allows. They are tokens of their own on every chain, and their names say so:
 * "Paper Boat" on the first, "Paper Boat on Unichain Sepolia" there.
 */
export const seedTokensOn = ({ chain }: SeededChain): readonly SeedToken[] => {
  const allowed = seedTokens.filter((token) => token.poolType !== 9 || chain.testnet);
  return chain.slug === firstSeeded
    ? allowed
    : allowed.map((token) => ({ ...token, name: `${token.name} on ${chain.name}` }));
};

/** The same on every chain; the creator and this decide the token's address. */
export const seedSalt = ({ symbol }: SeedToken): `0x${string}` => keccak256(stringToHex(`mintage seed ${symbol}`));

export const seedTokens: readonly SeedToken[] = [
  {
    name: 'First Light',
    symbol: 'LIGHT',
    description: 'Created this morning; nobody has bought yet.',
    colour: '#e8a33d',
    tags: ['new'],
    poolType: 7,
    creator: 'carol',
    steps: [],
    stage: 'new',
  },
  {
    name: 'Paper Boat',
    symbol: 'BOAT',
    description: 'Folded on a rainy day. Its creator bought in the first second and paid for it.',
    colour: '#3d7be8',
    tags: ['sea', 'paper'],
    poolType: 7,
    creator: 'alice',
    initialBuyUsd: 200,
    steps: [
      { who: 'bob', buyUsd: 300, builderBps: 50 },
      { who: 'carol', buyUsd: 150, referred: true },
      { who: 'dave', buyUsd: 1_200 },
      { who: 'bob', sellPercent: 40 },
      { who: 'carol', buyUsd: 75, builderBps: 100, referred: true },
    ],
    stage: 'new',
  },
  {
    name: 'Harbour Works',
    symbol: 'HARBOR',
    description: 'A workshop by the water that raises its first money.',
    colour: '#2f8f6b',
    tags: ['startup'],
    poolType: 8,
    creator: 'bob',
    steps: [
      { who: 'alice', buyUsd: 2_500 },
      { who: 'dave', buyUsd: 4_000, builderBps: 25 },
      { who: 'alice', sellPercent: 10 },
    ],
    stage: 'new',
  },
  {
    name: 'Night Train',
    symbol: 'NIGHT',
    description: 'Nearly full: about four fifths of the curve are sold.',
    colour: '#4b3d8f',
    tags: ['travel'],
    poolType: 7,
    creator: 'dave',
    steps: [
      { who: 'alice', buyUsd: 6_000 },
      { who: 'bob', buyUsd: 5_000, builderBps: 50 },
      { who: 'carol', buyUsd: 3_500, referred: true },
      { who: 'alice', sellPercent: 5 },
      { who: 'dave', buyUsd: 900 },
    ],
    stage: 'graduating',
  },
  {
    name: 'Lighthouse',
    symbol: 'HOUSE',
    description: 'Graduated: it trades on a pool whose liquidity nobody can take out.',
    colour: '#c8433a',
    tags: ['sea'],
    poolType: 7,
    creator: 'alice',
    initialBuyUsd: 500,
    steps: [
      { who: 'bob', buyUsd: 9_000, builderBps: 50 },
      { who: 'dave', buyUsd: 20_000 },
      { who: 'carol', buyUsd: 400, referred: true },
      { who: 'bob', sellPercent: 15, builderBps: 50 },
      { who: 'dave', foreignBuyUsd: 250 },
      { who: 'alice', sellPercent: 50 },
    ],
    stage: 'graduated',
  },
  {
    name: 'Tin Robot',
    symbol: 'TIN',
    description: 'A test token: 250 test dollars fill its curve. Buy the last of it and watch it graduate.',
    colour: '#7a8894',
    tags: ['test'],
    poolType: 9,
    creator: 'bob',
    steps: [
      { who: 'alice', buyUsd: 90 },
      { who: 'carol', buyUsd: 60, referred: true },
    ],
    stage: 'graduating',
  },
  {
    name: 'Copper Kettle',
    symbol: 'KETTLE',
    description: 'A test token that has graduated.',
    colour: '#b0683a',
    tags: ['test'],
    poolType: 9,
    creator: 'carol',
    steps: [
      { who: 'alice', buyUsd: 300 },
      { who: 'bob', buyUsd: 20, builderBps: 30 },
      { who: 'alice', sellPercent: 25 },
    ],
    stage: 'graduated',
  },
];
