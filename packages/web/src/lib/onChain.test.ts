import { expect, test } from 'vitest';
import { chainTypeOn, embeddedOn, isAddress, isAddressOn, isHashOn, isSolana, keyOf, sameAddress } from './onChain.ts';

test('hashes and addresses are of the form of their chain', () => {
  const [hex, signature] = [`0x${'aB'.repeat(32)}`, '5'.repeat(88)];
  expect([isHashOn('base', hex), isHashOn('base', signature)]).toEqual([true, false]);
  expect([isHashOn('solana', hex), isHashOn('solana-devnet', signature)]).toEqual([false, true]);
  for (const text of ['', `${hex}0`, `${signature}0`, `${signature}555`]) {
    expect([text, isHashOn('base', text)]).toEqual([text, false]);
    expect([text, isHashOn('solana', text)]).toEqual([text, false]);
  }
  const [address, key] = [`0x${'aB'.repeat(20)}`, '7'.repeat(44)];
  expect([isAddressOn('base', address), isAddressOn('base', key)]).toEqual([true, false]);
  expect([isAddressOn('solana', address), isAddressOn('solana', key)]).toEqual([false, true]);
  expect([isSolana('solana-devnet'), isSolana('zksync'), isSolana('nowhere')]).toEqual([true, false, false]);
  expect(isHashOn('nowhere', hex)).toBe(false);
  expect(isHashOn('toString', hex)).toBe(false);
});

test('addresses are the same whatever their case in hex, and only letter by letter in base58', () => {
  const [hex, key] = [`0x${'aB'.repeat(20)}`, `${'aB'.repeat(21)}7`];
  expect(keyOf(hex)).toBe(hex.toLowerCase());
  expect(keyOf(key)).toBe(key);
  expect(sameAddress(hex, hex.toUpperCase().replace('X', 'x'))).toBe(true);
  expect(sameAddress(key, key)).toBe(true);
  expect(sameAddress(key, key.toLowerCase())).toBe(false);
  expect([sameAddress(null, undefined), sameAddress(undefined, undefined), sameAddress(hex, null)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([hex, key, `${hex}0`, ''].map(isAddress)).toEqual([true, true, false, false]);
});

test('the wallet here is that of the chain’s family', () => {
  const wallet = (address: string, chainType: 'evm' | 'solana', embedded: boolean) => ({
    address,
    chainType,
    embedded,
  });
  const wallets = [wallet('own', 'solana', false), wallet('hex', 'evm', true), wallet('key', 'solana', true)];
  expect(embeddedOn(wallets, 'base')?.address).toBe('hex');
  expect(embeddedOn(wallets, 'solana-devnet')?.address).toBe('key');
  expect(embeddedOn(wallets, 'nowhere')).toBeUndefined();
  expect([chainTypeOn('zksync'), chainTypeOn('solana'), chainTypeOn('nowhere')]).toEqual(['evm', 'solana', null]);
});
