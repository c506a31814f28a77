import * as viemChains from 'viem/chains';
import { describe, expect, test } from 'vitest';
import { chainByEid, chainBySlug, chainSlugs, chains, type GasTerms, isV3, type Venue } from './chains.ts';
import { chainTypeOf } from './families.ts';

/** Addresses of all contracts of a venue that the table names. */
const contractsOf = (venue: Venue | null): string[] => {
  if (isV3(venue)) return venue.exchange === null ? [] : [venue.exchange.factory, venue.exchange.deployer];
  const { kind: _, ...contracts } = venue ?? { kind: null };
  return Object.values(contracts);
};

/** wire contract, section 3.2. */
const wireTable = `
solana | solana | none | 30168 | no
solana-devnet | solana | none | 40168 | yes
arbitrum | evm | 42161 | 30110 | no
base | evm | 8453 | 30184 | no
base-sepolia | evm | 84532 | 40245 | yes
avalanche | evm | 43114 | 30106 | no
op-bnb | evm | 204 | 30202 | no
bnb | evm | 56 | 30102 | no
bnb-testnet | evm | 97 | 40102 | yes
ethereum | evm | 1 | 30101 | no
monad | evm | 143 | 30390 | no
unichain | evm | 130 | 30320 | no
unichain-testnet | evm | 1301 | 40333 | yes
abstract | evm | 2741 | 30324 | no
polygon | evm | 137 | 30109 | no
zksync | evm | 324 | 30165 | no
zksync-testnet | evm | 300 | 40305 | yes`;

describe('chains', () => {
  test('are the seventeen of the wire contract', () => {
    const rows = chains.map(({ slug, family, chainId, eid, testnet }) =>
      [slug, chainTypeOf({ family }), chainId ?? 'none', eid, testnet ? 'yes' : 'no'].join(' | '),
    );
    expect(rows).toEqual(wireTable.trim().split('\n'));
    expect(chains.map(({ slug }) => slug)).toEqual([...chainSlugs]);
  });

  test('agree with viem on what viem knows', () => {
    const known = Object.values(viemChains).filter((chain) => 'id' in chain);
    for (const chain of chains.filter((one) => chainTypeOf(one) === 'evm')) {
      const twin = known.find(({ id, name }) => id === chain.chainId && name === chain.name);
      expect(twin, chain.slug).toBeDefined();
      expect(chain.nativeName).toBe(twin?.nativeCurrency.name);
      expect(chain.nativeSymbol).toBe(twin?.nativeCurrency.symbol);
      expect(chain.nativeDecimals).toBe(twin?.nativeCurrency.decimals);
      expect(chain.explorerUrl).toBe(twin?.blockExplorers?.default.url.replace(/\/$/, ''));
      if (twin?.blockTime !== undefined) expect(chain.blockTimeMs).toBe(twin.blockTime);
    }
  });

  test('behavior: addresses are lower case and nowhere twice for one role', () => {
    for (const { dollarToken, venue, testnet, family } of chains) {
      if (chainTypeOf({ family }) === 'evm') expect(dollarToken.address).toMatch(/^0x[0-9a-f]{40}$/);
      for (const address of contractsOf(venue)) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
      if (family === 'eravm') expect(venue?.kind).toBe('uniswap_v3');
      expect(typeof testnet).toBe('boolean');
    }
    const managers = chains.flatMap(({ venue }) => (venue?.kind === 'uniswap_v4' ? [venue.poolManager] : []));
    expect(managers).toHaveLength(10);
    expect(new Set(managers).size).toBe(managers.length);
  });

  test('C20 behavior: the dollar token has 18 decimals where it does, 6 elsewhere', () => {
    const eighteen = chains.filter(({ dollarToken }) => dollarToken.decimals === 18).map(({ slug }) => slug);
    expect(eighteen).toEqual(['op-bnb', 'bnb', 'bnb-testnet']);
  });
});

test('chainBySlug and chainByEid find every chain', () => {
  for (const chain of chains) {
    expect(chainBySlug(chain.slug)).toBe(chain);
    expect(chainByEid(chain.eid)).toBe(chain);
  }
  expect(chainByEid(1)).toBeUndefined();
});

test('gas: every chain that the signer sends on has bounds in order, and patience of 20 s', () => {
  for (const chain of chains) {
    if (chainTypeOf(chain) === 'solana') {
      expect(chain.gas, chain.slug).toBeNull();
      continue;
    }
    const gas = chain.gas as GasTerms;
    expect(Number(gas.minTipGwei), chain.slug).toBeLessThanOrEqual(Number(gas.maxTipGwei));
    expect(Number(gas.maxTipGwei), chain.slug).toBeLessThanOrEqual(Number(gas.maxFeeGwei));
    expect(Number(gas.maxPerDayCoins), chain.slug).toBeGreaterThan(0);
    expect(gas.patienceBlocks, chain.slug).toBe(Math.max(3, Math.ceil(20_000 / (chain.blockTimeMs ?? 1_000))));
  }
});
