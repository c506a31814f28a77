import { type Address, type EvmDeployment, type Hash, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';

/** The contracts of a deployment whose events count, beside the tokens. */
export type Contracts = Pick<
  EvmDeployment,
  'launchpad' | 'poolManager' | 'tokenBridge' | 'layerZeroEndpoint' | 'exchange' | 'usd'
>;

/** Contracts whose events count on a chain. Logs of any other contract are ignored. */
export interface AddressBook extends Omit<Contracts, 'usd'> {
  /** Tokens that the launchpad created, or the bridge registered. Decoding adds the ones it meets, as to the next. */
  tokens: Set<Hex>;
  /** Graduated tokens by their pool, where a pool is a contract of its own. */
  pools: Map<Hex, Hex>;
}

/** What logs add to a book. */
export interface Found {
  tokens: readonly Hex[];
  pools: readonly (readonly [pool: Hex, token: Hex])[];
}

export const addressBook = (
  { launchpad, poolManager, tokenBridge, layerZeroEndpoint, exchange }: Contracts,
  tokens: Iterable<Address>,
  /** By pool, as `Graduated` names it. */
  pools: Iterable<readonly [Hash, Address]> = [],
): AddressBook => ({
  launchpad,
  poolManager,
  tokenBridge,
  layerZeroEndpoint,
  exchange,
  tokens: new Set(Array.from(tokens, requireHex)),
  pools:
    exchange === null
      ? new Map()
      : new Map(Array.from(pools, ([pool, token]) => [requireHex(pool), requireHex(token)])),
});

/** A book with what was found; the given one stays as it is, and is enough where nothing was. */
export const withFound = (book: AddressBook, { tokens, pools }: Found): AddressBook =>
  tokens.length === 0 && pools.length === 0
    ? book
    : {
        ...book,
        tokens: new Set([...book.tokens, ...tokens]),
        pools: new Map([...book.pools, ...pools]),
      };

/** All addresses whose logs are asked for. */
export const addressesOf = (book: AddressBook): Hex[] => [
  ...[book.launchpad, book.poolManager, book.tokenBridge, book.layerZeroEndpoint].filter((address) => address !== null),
  ...book.tokens,
  ...book.pools.keys(),
];
