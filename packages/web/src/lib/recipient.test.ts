import { expect, it } from 'vitest';
import { recipientProblem } from './recipient.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it('default: an address of the chain, in lower case, in upper case or with its checksum', () => {
  for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
    expect(recipientProblem('base', text)).toBeNull();
  expect(recipientProblem('solana', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')).toBeNull();
});

it('error: one letter in another case, or the address of another chain', () => {
  expect(recipientProblem('base', address.replace('5aA', '5aa'))).toBe('checksum');
  expect(recipientProblem('solana', address)).toBe('form');
  expect(recipientProblem('base', '')).toBe('form');
});
