import { expect, test } from 'vitest';
import { isHashOn } from './hashes.ts';

test('a hash is of the form of its chain', () => {
  const [hex, signature] = [`0x${'aB'.repeat(32)}`, '5'.repeat(88)];
  expect([isHashOn('base', hex), isHashOn('base', signature)]).toEqual([true, false]);
  expect([isHashOn('solana', hex), isHashOn('solana-devnet', signature)]).toEqual([false, true]);
  for (const text of ['', `${hex}0`, `${signature}0`, `${signature}555`]) {
    expect([text, isHashOn('base', text)]).toEqual([text, false]);
    expect([text, isHashOn('solana', text)]).toEqual([text, false]);
  }
  expect(isHashOn('nowhere', hex)).toBe(false);
  expect(isHashOn('toString', hex)).toBe(false);
});
