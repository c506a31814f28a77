import { toBase58 } from '@mintage/protocol';
import { describe, expect, test } from 'vitest';
import { readLanded } from './transaction.ts';

const key = (byte: number) => toBase58(new Uint8Array(32).fill(byte));
const signature = toBase58(new Uint8Array(64).fill(9));
const [payer, program, account, mint, looked] = [1, 2, 3, 4, 5].map(key);
const balance = (accountIndex: number, amount: string, owner = payer) => ({
  accountIndex,
  mint,
  owner,
  uiTokenAmount: { amount, decimals: 6 },
});
const answer = (meta: object = {}, message: object = {}, more: object = {}) => ({
  slot: 7,
  transaction: {
    signatures: [signature],
    message: {
      accountKeys: [payer, program, account],
      instructions: [
        { programIdIndex: 1, accounts: [0, 3], data: toBase58(Uint8Array.of(1, 2)) },
        { programIdIndex: 3, accounts: [], data: '' },
      ],
      ...message,
    },
  },
  meta: {
    err: null,
    loadedAddresses: { writable: [], readonly: [looked] },
    innerInstructions: [{ index: 0, instructions: [{ programIdIndex: 1, accounts: [2], data: '3' }] }],
    preTokenBalances: [balance(2, '5')],
    postTokenBalances: [balance(2, '9')],
    ...meta,
  },
  ...more,
});

describe('readLanded', () => {
  test('default: every instruction in the order in which it ran, with accounts of lookup tables, and what was held', () => {
    expect(readLanded(answer())).toEqual({
      signature,
      slot: 7,
      deeds: {
        steps: [
          { program, accounts: [payer, looked], data: Uint8Array.of(1, 2), isInner: false },
          { program, accounts: [account], data: Uint8Array.of(2), isInner: true },
          { program: looked, accounts: [], data: new Uint8Array(), isInner: false },
        ],
        holdings: [{ account, token: mint, ownerBefore: payer, owner: payer, before: 5n, after: 9n }],
      },
    });
  });

  test('accounts that were opened, closed, given away, or opened anew for another token', () => {
    const holdings = (pre: object[], post: object[]) =>
      readLanded(answer({ preTokenBalances: pre, postTokenBalances: post })).deeds?.holdings;
    expect(holdings([], [balance(2, '9')])).toMatchObject([{ before: 0n, after: 9n }]);
    expect(holdings([balance(2, '9')], [])).toMatchObject([{ before: 9n, after: 0n }]);
    expect(holdings([balance(2, '9')], [balance(2, '9', program)])).toMatchObject([
      { ownerBefore: payer, owner: program, before: 9n, after: 9n },
    ]);
    expect(holdings([balance(2, '9')], [{ ...balance(2, '4'), mint: looked }])).toMatchObject([
      { token: mint, before: 9n, after: 0n },
      { token: looked, before: 0n, after: 4n },
    ]);
  });

  test('of one that failed nothing is read', () => {
    expect(readLanded(answer({ err: { InstructionError: [0, 'Custom'] } }, { instructions: 'nonsense' }))).toEqual({
      signature,
      slot: 7,
      deeds: null,
    });
  });

  test.each([
    ['a text', 'nothing'],
    ['no meta', answer({}, {}, { meta: null })],
    ['no word whether it failed', answer({ err: undefined, preTokenBalances: null })],
    ['an account that is not named', answer({}, { instructions: [{ programIdIndex: 4, accounts: [], data: '' }] })],
    ['an account number below 0', answer({}, { instructions: [{ programIdIndex: -1, accounts: [], data: '' }] })],
    ['bytes that are no base58', answer({}, { instructions: [{ programIdIndex: 0, accounts: [], data: '0OIl' }] })],
    ['endless bytes', answer({}, { instructions: [{ programIdIndex: 0, accounts: [], data: '2'.repeat(20_000) }] })],
    ['an address of 31 bytes', answer({}, { accountKeys: [toBase58(new Uint8Array(31).fill(1))] })],
    ['an amount that is none', answer({ postTokenBalances: [balance(2, '-1')] })],
    ['inner instructions of none', answer({ innerInstructions: [{ index: 2, instructions: [] }] })],
    ['no signature', { ...answer(), transaction: { signatures: [], message: {} } }],
    ['half a slot', answer({}, {}, { slot: 7.5 })],
  ])('error: %s', (_, value) => {
    expect(() => readLanded(value)).toThrow('nonsense');
  });
});
