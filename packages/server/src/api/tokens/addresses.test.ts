import { type Address, chainBySlug, checksumRule, parseHexAddress, type Slug, toBase58 } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import type { ChainContext } from '../../chain/chainContext.ts';
import { addressOn, anyAddress, hashOn, isOn } from './addresses.ts';

const hex = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB';
const base58 = toBase58(new Uint8Array(32).fill(7));
const hexHash = `0x${'Ab'.repeat(32)}`;
const signature = toBase58(new Uint8Array(64).fill(7));
const [base, solana] = [chainBySlug('base'), chainBySlug('solana')];

const serving = (...slugs: Slug[]) => ({
  chains: new Map(slugs.map((slug) => [slug as string, { chain: chainBySlug(slug) } as ChainContext])),
});
const refused = (field: string, message: string) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETERS',
    message: `${field}: ${message}`,
    details: [{ path: field, message }],
  });
const hexRule = 'must be an address: 0x and 40 hex digits';
const base58Rule = 'must be an address: base58 of 32 bytes';

describe('addressOn', () => {
  it('default: in the one form of the chain', () => {
    expect(addressOn(base, hex, 'to')).toBe(hex.toLowerCase());
    expect(addressOn(solana, base58, 'to')).toBe(base58);
  });

  it('error: an address of another family, by the field and the rule of the chain', () => {
    expect(() => addressOn(base, base58, 'builder.code')).toThrow(refused('builder.code', hexRule));
    expect(() => addressOn(solana, hex, 'to')).toThrow(refused('to', base58Rule));
    expect(() => addressOn(base, hex.replace('0xAB', '0xAb'), 'to')).toThrow(refused('to', checksumRule));
    expect(() => anyAddress(serving('base'), hex.replace('0xAB', '0xAb'), 'to')).toThrow(refused('to', checksumRule));
    expect(() => addressOn(solana, `${base58}1`, 'to')).toThrow(refused('to', base58Rule));
  });
});

describe('anyAddress', () => {
  it('default: of any served family', () => {
    const both = serving('base', 'solana');
    expect(anyAddress(both, hex, 'wallet')).toBe(hex.toLowerCase());
    expect(anyAddress(both, base58, 'wallet')).toBe(base58);
  });

  it('behavior: hex where no chain is served', () => {
    expect(anyAddress(serving(), hex, 'wallet')).toBe(hex.toLowerCase());
  });

  it('error: an address of a family that is not served', () => {
    for (const served of [serving(), serving('base', 'zksync')])
      expect(() => anyAddress(served, base58, 'wallets.1')).toThrow(refused('wallets.1', hexRule));
    expect(() => anyAddress(serving('solana'), hex, 'wallet')).toThrow(refused('wallet', base58Rule));
    const either = `${hexRule}, or ${base58Rule}`;
    expect(() => anyAddress(serving('base', 'solana'), 'nobody', 'wallet')).toThrow(refused('wallet', either));
  });
});

describe('hashOn', () => {
  it('default: in the one form of its family', () => {
    expect(hashOn(serving('base'), base, hexHash, 'hash')).toBe(hexHash.toLowerCase());
    expect(hashOn(serving('solana'), solana, signature, 'hash')).toBe(signature);
    expect(hashOn(serving('base', 'solana'), null, signature, 'hash')).toBe(signature);
  });

  it('error: a hash of another family', () => {
    const rule = 'must be a transaction hash: 0x and 64 hex digits';
    expect(() => hashOn(serving('base', 'solana'), base, signature, 'hash')).toThrow(refused('hash', rule));
    expect(() => hashOn(serving('base'), null, signature, 'hash')).toThrow(refused('hash', rule));
  });
});

it('isOn: an address is on the chains of its family', () => {
  const address = parseHexAddress(hex) as Address;
  expect([isOn(base, address), isOn(chainBySlug('zksync'), address), isOn(solana, address)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isOn(base, base58), isOn(solana, base58)]).toEqual([false, true]);
});
