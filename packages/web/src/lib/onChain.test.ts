import { expect, test } from 'vitest';
import { isAddressOn, isHashOn, isSolana } from './onChain.ts';

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
