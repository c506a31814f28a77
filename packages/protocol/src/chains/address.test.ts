import { describe, expect, it } from 'vitest';
import {
  type Address,
  base58Addresses,
  hexAddresses,
  isBefore,
  isNobody,
  parseAnyAddress,
  parseAnyHash,
  requireHex,
  toBase58,
} from './address.ts';
import { chainBySlug } from './chains.ts';
import { requireEvmDeployment } from './deployment.ts';
import { families, parseAddress } from './families.ts';
import { platformIdOf } from './ids.ts';

const usdc = chainBySlug('solana').dollarToken.address;
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const on = (slug: 'base' | 'zksync' | 'solana') => (text: string) => parseAddress(text, chainBySlug(slug));

describe('addresses', () => {
  it('default: one printed form a family', () => {
    expect(on('base')(wallet)).toBe(wallet.toLowerCase());
    expect(on('zksync')(wallet)).toBe(wallet.toLowerCase());
    expect(on('solana')(usdc)).toBe(usdc);
    expect(parseAnyAddress(wallet)).toBe(wallet.toLowerCase());
    expect(parseAnyAddress(usdc)).toBe(usdc);
  });

  it('behavior: an address of another family is none', () => {
    expect(on('base')(usdc)).toBeNull();
    expect(on('solana')(wallet)).toBeNull();
    expect(() => requireHex(base58Addresses.parse(usdc) as Address)).toThrow('no address or hash of an EVM chain');
  });

  it.each(['', '0x', `${wallet}0`, wallet.slice(0, -1), ` ${wallet}`, `0X${wallet.slice(2)}`])(
    'error: %j is no hex address',
    (text) => {
      expect(parseAnyAddress(text)).toBeNull();
    },
  );

  it.each(['', '0', 'l', usdc.slice(0, 30), `${usdc}1`, `${usdc}\n`, '1'.repeat(31), '1'.repeat(33), 'z'.repeat(44)])(
    'error: %j is no base58 of 32 bytes',
    (text) => {
      expect(parseAnyAddress(text)).toBeNull();
    },
  );

  it('behavior: the case of base58 counts', () => {
    const one = toBase58(new Uint8Array(32).fill(7));
    const i = [...one].findIndex((letter) => /[a-km-np-z]/.test(letter) && !/[il]/.test(letter));
    const other = one.slice(0, i) + one.charAt(i).toUpperCase() + one.slice(i + 1);
    expect(parseAnyAddress(other)).toBe(other);
    expect(parseAnyAddress(one)).not.toBe(parseAnyAddress(other));
  });

  it('behavior: nobody is said by each family', () => {
    for (const { addresses } of Object.values(families)) {
      expect(addresses.parse(addresses.nobody)).toBe(addresses.nobody);
      expect(isNobody(addresses.nobody)).toBe(true);
      expect(BigInt(addresses.toBytes32(addresses.nobody))).toBe(0n);
    }
    expect(isNobody(hexAddresses.parse(wallet) as Address)).toBe(false);
  });

  it('behavior: each family names the addresses from which nobody can spend, in their one form', () => {
    for (const { addresses } of Object.values(families)) {
      expect(addresses.graves).toContain(addresses.nobody);
      expect(addresses.graves.map((grave) => addresses.parse(grave))).toEqual(addresses.graves);
    }
    expect(hexAddresses.graves).toContain('0x000000000000000000000000000000000000dead');
    expect(base58Addresses.graves).toContain('1nc1nerator11111111111111111111111111111111');
  });

  it('behavior: a pool has its currencies in the order of their bytes', () => {
    expect(isBefore('0x0f', '0xa0')).toBe(true);
    const [low, high] = [toBase58(new Uint8Array(32).fill(1)), toBase58(new Uint8Array(32).fill(250))];
    expect([isBefore(low, high), isBefore(high, low)]).toEqual([true, false]);
  });

  it('behavior: a platform id names the family, so that no two tokens share one', () => {
    const hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
    const same = toBase58(Uint8Array.from(Buffer.from(hex.slice(2).padStart(64, '0'), 'hex')));
    expect(platformIdOf(hex, 30184)).not.toBe(platformIdOf(same, 30184));

    expect(platformIdOf(same, 30168)).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('error: a deployment without an EIP-155 id is none on an EVM chain', () => {
    const deployment = { launchpad: usdc, chainId: null } as never;
    expect(() => requireEvmDeployment(deployment)).toThrow();
  });
});

describe('parseAnyHash', () => {
  it('default: hex in lower case, base58 as it is', () => {
    const signature = toBase58(new Uint8Array(64).fill(9));
    expect(parseAnyHash(`0x${'Ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
    expect(parseAnyHash(signature)).toBe(signature);
  });

  it('error: neither', () => {
    const otherLengths = [32, 63, 65].map((length) => toBase58(new Uint8Array(length).fill(9)));
    for (const text of [
      ...otherLengths,
      '',
      '0x',
      `0x${'ab'.repeat(31)}`,
      `0x${'ab'.repeat(33)}`,
      'l',
      `${'2'.repeat(88)}\n`,
    ])
      expect(parseAnyHash(text)).toBeNull();
  });
});
