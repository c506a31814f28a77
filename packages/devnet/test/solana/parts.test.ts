import { type Address, getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { feeOf } from '../../src/solana/machine/fee.ts';
import { tokenAmount } from '../../src/solana/machine/tokens.ts';
import { keysOf, type Message } from '../../src/solana/machine/transaction.ts';
import { readJson, writeJson } from '../../src/solana/wire/json.ts';

const key = (digit: string): Address => `${'1'.repeat(31)}${digit}` as Address;
const budget = 'ComputeBudget111111111111111111111111111111' as Address;
const message = (changes: Partial<Message>): Message => ({
  version: 0,
  signers: 2,
  readonlySigners: 1,
  readonlyOthers: 1,
  keys: ['2', '3', '4', '5'].map(key),
  lookups: [],
  blockhash: key('9'),
  instructions: [],
  priorityFee: 0n,
  ...changes,
});

describe('parts of the local Solana node', () => {
  it('orders the keys of a message, those of lookup tables last and writable ones first', () => {
    const entries = ['6', '7', '8'].map((digit) => getAddressEncoder().encode(key(digit)));
    const table = Buffer.concat([Buffer.alloc(56), ...entries.map((entry) => Uint8Array.from(entry))]);
    const keys = keysOf(message({ lookups: [{ table: key('9'), writable: [2], readonly: [0] }] }), () => table);
    expect(keys.all).toEqual(['2', '3', '4', '5', '8', '6'].map(key));
    expect(keys.all.map((_, at) => keys.isWritable(at))).toEqual([true, false, true, false, true, false]);
    expect(keys.isWhole).toBe(true);
    expect(keysOf(message({ lookups: [{ table: key('9'), writable: [3], readonly: [] }] }), () => table).isWhole).toBe(
      false,
    );
  });

  it.each([
    ['two signatures', [], 10_000n],
    ['a price for the units of one program', [[3, 64, 66, 15, 0, 0, 0, 0, 0]], 10_000n + 203_000n],
    [
      'a price for a limit, rounded up',
      [
        [3, 1, 0, 0, 0, 0, 0, 0, 0],
        [2, 1, 0, 0, 0],
      ],
      10_001n,
    ],
    [
      'no more units than there are',
      [
        [3, 64, 66, 15, 0, 0, 0, 0, 0],
        [2, 255, 255, 255, 255],
      ],
      10_000n + 1_400_000n,
    ],
  ])('takes a fee for %s', (_, settings, fee) => {
    const keys = [...message({}).keys, budget];
    const instructions = [
      ...settings.map((data) => ({ program: 4, accounts: [], data: Uint8Array.from(data) })),
      { program: 3, accounts: [], data: new Uint8Array() },
    ];
    expect(feeOf(message({ keys, instructions }))).toBe(fee);
  });

  it.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_500_000n, 6, '1.5'],
    [20n, 0, '20'],
  ])('writes %d of %d decimals as %s', (amount, decimals, uiAmountString) => {
    expect(tokenAmount(amount, decimals)).toMatchObject({ amount: String(amount), decimals, uiAmountString });
  });

  it('writes and reads integers of 64 bits as they are', () => {
    const text =
      '{"most":18446744073709551615,"least":-9223372036854775808,"few":7,"part":0.5,"word":"18446744073709551615"}';
    expect(readJson(text)).toMatchObject({ most: 18446744073709551615n, few: 7, part: 0.5 });
    expect(writeJson(readJson(text))).toBe(text);
  });
});
