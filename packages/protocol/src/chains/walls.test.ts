import { describe, expect, test } from 'vitest';
import type { Address, Base58 } from './address.ts';
import { solanaDeployment } from './deployment.ts';
import { fixedWall, looksLike } from './walls.ts';

const at = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const evm = {
  launchpad: at('1'),
  poolHook: at('1'),
  tokenFactory: at('2'),
  lens: at('3'),
  tokenImplementation: at('4'),
  tokenBridge: at('5'),
  layerZeroEndpoint: null,
  usd: at('6'),
  poolManager: at('7'),
  exchange: { factory: at('8'), deployer: at('9'), poolCodeHash: at('0'), isEra: false },
  create3Factory: at('a'),
};
const solana = solanaDeployment({
  startBlock: 0,
  launchpad: 'FoRmMtC6dzdLzGMfzqPHYGXSmUJ9ZPLAXqQfaXh1HYqb' as Base58,
  usd: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Base58,
  usdDecimals: 6,
  usdSymbol: 'USDC',
  usdMintable: false,
  owner: '11111111111111111111111111111112' as Base58,
});

describe('fixedWall', () => {
  test.each(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a'])('default: the contract %s is one', (digit) => {
    expect(fixedWall(at(digit), evm)).toMatch(/^(the) /);
  });

  test('default: burn addresses, precompiled contracts, programs and sysvars are', () => {
    for (const address of [at('0'), `0x${'0'.repeat(36)}dead`, `0x${'0'.repeat(39)}4`, `0x${'0'.repeat(36)}8001`])
      expect(fixedWall(address as Address, evm), address).not.toBeNull();
    for (const address of [
      '11111111111111111111111111111111',
      '1nc1nerator11111111111111111111111111111111',
      'SysvarC1ock11111111111111111111111111111111',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      solana.launchpad,
      solana.usd,
    ])
      expect(fixedWall(address as Address, solana), address).not.toBeNull();
    expect(fixedWall(solana.launchpad, solana)).toBe('the launchpad of this service');
  });

  test('behavior: a wallet is none', () => {
    expect(fixedWall(at('b'), evm)).toBeNull();
    expect(fixedWall('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' as Address, solana)).toBeNull();
  });
});

describe('looksLike', () => {
  const one = `0xabcd${'1'.repeat(32)}ef01` as const;
  const base58 = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

  test('default: equal at both ends, different between', () => {
    expect(looksLike(one, `0xabcd${'2'.repeat(32)}ef01`)).toBe(true);
    expect(looksLike(base58 as Address, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zXtAWWM' as Address)).toBe(true);
  });

  test('behavior: the same address, and one that differs at an end, do not', () => {
    expect(looksLike(one, one)).toBe(false);
    expect(looksLike(one, `0xabce${'1'.repeat(32)}ef01`)).toBe(false);
    expect(looksLike(one, `0xabcd${'1'.repeat(32)}ef02`)).toBe(false);
    expect(looksLike(one, base58 as Address)).toBe(false);
  });
});
