import { describe, expect, it } from 'vitest';
import { AddressText, TokenRef } from '../schemas/scalars.ts';
import {
  type Address,
  base58Addresses,
  hexAddresses,
  isBefore,
  isNobody,
  parseAnyAddress,
  parseAnyHash,
  parseAs,
  parseBase58Address,
  parseHexAddress,
  requireHex,
  toBase58,
} from './address.ts';
import { chainBySlug } from './chains.ts';
import { checksumRule } from './checksum.ts';
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
    expect(() => requireHex(parseBase58Address(usdc) as Address)).toThrow('no address or hash of an EVM chain');
  });

  it.each(['', '0x', `${wallet}0`, wallet.slice(0, -1), ` ${wallet}`, `0X${wallet.slice(2)}`])(
    'error: %j is no hex address',
    (text) => {
      expect(parseAnyAddress(text)).toBeNull();
    },
  );

  // Those of EIP-55, and one whose digits have no letters.
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    `0x${'1'.repeat(40)}`,
  ])('R3 behavior: %s is taken, and in lower and upper case too', (text) => {
    for (const form of [text, text.toLowerCase(), `0x${text.slice(2).toUpperCase()}`]) {
      expect(parseAnyAddress(form)).toBe(text.toLowerCase());
      expect(AddressText.safeParse(form).success).toBe(true);
      expect(TokenRef.safeParse(form).success).toBe(true);
    }
  });

  it('R3 error: any one letter in another case is a wrong checksum', () => {
    for (const [at, letter] of [...wallet].entries()) {
      if (at < 2 || /\d/.test(letter)) continue;
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const text = wallet.slice(0, at) + other + wallet.slice(at + 1);
      expect(on('base')(text), text).toBeNull();
      expect(on('zksync')(text)).toBeNull();
      expect(parseAnyAddress(text)).toBeNull();
      for (const schema of [AddressText, TokenRef])
        expect(schema.safeParse(text).error?.issues).toMatchObject([{ message: checksumRule }]);
    }
  });

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
      expect(parseAs(addresses, addresses.nobody)).toBe(addresses.nobody);
      expect(isNobody(addresses.nobody)).toBe(true);
      expect(BigInt(addresses.toBytes32(addresses.nobody))).toBe(0n);
    }
    expect(isNobody(parseHexAddress(wallet) as Address)).toBe(false);
  });

  it('behavior: each family names the addresses from which nobody can spend, in their one form', () => {
    for (const { addresses } of Object.values(families)) {
      expect(addresses.graves).toContain(addresses.nobody);
      expect(addresses.graves.map((grave) => parseAs(addresses, grave))).toEqual(addresses.graves);
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
