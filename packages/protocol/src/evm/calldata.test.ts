import fc from 'fast-check';
import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { tradeKinds } from '../maths/trade.ts';
import {
  encodeApprove,
  encodeCreate,
  encodeMint,
  encodeMulticall,
  encodeOrder,
  encodePermitUsd,
  encodeSetReferrer,
  encodeWithdrawBatch,
} from './calldata.ts';
import { launchpadAbi } from './generated/abi.ts';

const erc20 = parseAbi(['function approve(address,uint256)', 'function mint(address,uint256)']);

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((data): `0x${string}` => `0x${Buffer.from(data).toString('hex')}`);
const address = hexOf(20);
const word = hexOf(32);
const uint = fc.bigInt(0n, 2n ** 256n - 1n);
const bytes = fc.uint8Array({ maxLength: 100 }).map((data): `0x${string}` => `0x${Buffer.from(data).toString('hex')}`);
const order = fc.record({
  token: address,
  amount: uint,
  limit: uint,
  recipient: address,
  builder: address,
  builderBps: uint,
  referral: address,
  deadline: uint,
});
const text = fc.string({ unit: 'binary', maxLength: 80 }).filter((value) => value.isWellFormed());

describe('W8 every call has the bytes that viem writes, for any arguments', () => {
  test('encodeOrder', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tradeKinds), order, (functionName, args) => {
        const expected = encodeFunctionData({ abi: launchpadAbi, functionName, args: [args] });
        expect(encodeOrder(functionName, args)).toBe(expected);
      }),
    );
  });

  test('encodeCreate', () => {
    const params = fc.record({
      name: text,
      symbol: text,
      uri: text,
      salt: word,
      poolType: fc.integer({ min: 0, max: 255 }),
      deadline: uint,
    });
    fc.assert(
      fc.property(params, (args) => {
        const expected = encodeFunctionData({ abi: launchpadAbi, functionName: 'create', args: [args] });
        expect(encodeCreate(args)).toBe(expected);
      }),
    );
  });

  test('encodeMulticall', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 5 }), (calls) => {
        const expected = encodeFunctionData({ abi: launchpadAbi, functionName: 'multicall', args: [calls] });
        expect(encodeMulticall(calls)).toBe(expected);
      }),
    );
  });

  test('encodePermitUsd', () => {
    fc.assert(
      fc.property(uint, uint, fc.integer({ min: 0, max: 255 }), word, word, (value, deadline, v, r, s) => {
        const args = [value, deadline, v, r, s] as const;
        const expected = encodeFunctionData({ abi: launchpadAbi, functionName: 'permitUsd', args });
        expect(encodePermitUsd(value, deadline, { v, r, s })).toBe(expected);
      }),
    );
  });

  test('encodeSetReferrer', () => {
    fc.assert(
      fc.property(fc.record({ user: address, referrer: address, deadline: uint }), bytes, (voucher, signature) => {
        const args = [voucher, signature] as const;
        const expected = encodeFunctionData({ abi: launchpadAbi, functionName: 'setReferrer', args });
        expect(encodeSetReferrer(voucher, signature)).toBe(expected);
      }),
    );
  });

  test('encodeWithdrawBatch', () => {
    fc.assert(
      fc.property(
        fc.array(address, { maxLength: 4 }),
        address,
        fc.array(uint, { maxLength: 4 }),
        (list, to, amounts) => {
          const args = [list, to, amounts] as const;
          const expected = encodeFunctionData({ abi: launchpadAbi, functionName: 'withdrawBatch', args });
          expect(encodeWithdrawBatch(list, to, amounts)).toBe(expected);
        },
      ),
    );
  });

  test('encodeApprove and encodeMint', () => {
    fc.assert(
      fc.property(address, uint, (account, amount) => {
        const args = [account, amount] as const;
        expect(encodeApprove(account, amount)).toBe(encodeFunctionData({ abi: erc20, functionName: 'approve', args }));
        expect(encodeMint(account, amount)).toBe(encodeFunctionData({ abi: erc20, functionName: 'mint', args }));
      }),
    );
  });
});

test('error: what does not fit its place is refused, never cut', () => {
  const someone = `0x${'11'.repeat(20)}` as const;
  expect(() => encodeApprove(someone, 2n ** 256n)).toThrow(RangeError);
  expect(() => encodeApprove(someone, -1n)).toThrow(RangeError);
  expect(() => encodeApprove(`${someone}00`, 1n)).toThrow(RangeError);
  expect(() => encodeApprove('0x', 1n)).toThrow(RangeError);
});
