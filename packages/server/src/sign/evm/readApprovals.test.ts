import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { isEndless } from '../policy/policy.ts';
import { readApprovals } from './readApprovals.ts';

const spender = `0x${'e1'.repeat(20)}` as const;
const edge = 2n ** 128n;
const contract = `0x${'c1'.repeat(20)}` as const;
const usd = `0x${'d1'.repeat(20)}` as const;
const bytes = `0x${'00'.repeat(32)}` as const;

const call = (signature: string, args: unknown[]): Hex => {
  const abi = parseAbi([`function ${signature}`] as never) as never;
  return encodeFunctionData({ abi, functionName: signature.split('(')[0], args } as never);
};
const approve = (amount: bigint) => call('approve(address, uint256)', [spender, amount]);
const multicall = (...calls: Hex[]) => call('multicall(bytes[])', [calls]);

/** What is never signed: an unlimited approval, or a multicall that cannot be read completely. */
const approvesWithoutEnd = ({ data }: { data: Hex }): boolean =>
  readApprovals({ to: contract, data }, { usd })?.some(isEndless) ?? true;

describe('readApprovals', () => {
  const forms: [name: string, of: (amount: bigint) => Hex][] = [
    ['approve', approve],
    ['increaseAllowance', (n) => call('increaseAllowance(address, uint256)', [spender, n])],
    ['increaseApproval', (n) => call('increaseApproval(address, uint256)', [spender, n])],
    ['approveAndCall', (n) => call('approveAndCall(address, uint256)', [spender, n])],
    ['approveAndCall with bytes', (n) => call('approveAndCall(address, uint256, bytes)', [spender, n, '0x12'])],
    [
      'permit',
      (n) =>
        call('permit(address, address, uint256, uint256, uint8, bytes32, bytes32)', [
          spender,
          spender,
          n,
          9n,
          27,
          bytes,
          bytes,
        ]),
    ],
    ['permitUsd', (n) => call('permitUsd(uint256, uint256, uint8, bytes32, bytes32)', [n, 9n, 27, bytes, bytes])],
    ['approve of Permit2', (n) => call('approve(address, address, uint160, uint48)', [spender, spender, n, 9])],
    [
      'permit of Permit2',
      (n) =>
        call('permit(address, ((address, uint160, uint48, uint48), address, uint256), bytes)', [
          spender,
          [[spender, n, 9, 1], spender, 9n],
          '0x12',
        ]),
    ],
  ];

  it.each(forms)('W4 %s: from 2^128 on', (_, of) => {
    expect(approvesWithoutEnd({ data: of(edge - 1n) })).toBe(false);
    expect(approvesWithoutEnd({ data: of(edge) })).toBe(true);
    expect(approvesWithoutEnd({ data: multicall(of(1n), multicall(of(edge))) })).toBe(true);
    expect(approvesWithoutEnd({ data: multicall(of(1n), multicall(of(edge - 1n))) })).toBe(false);
  });

  it.each([
    ['setApprovalForAll', (all: boolean) => call('setApprovalForAll(address, bool)', [spender, all])],
    [
      'permit for all',
      (all: boolean) =>
        call('permit(address, address, uint256, uint256, bool, uint8, bytes32, bytes32)', [
          spender,
          spender,
          1n,
          9n,
          all,
          27,
          bytes,
          bytes,
        ]),
    ],
  ] as const)('W4 %s: when it gives, not when it takes back', (_, of) => {
    expect(approvesWithoutEnd({ data: of(true) })).toBe(true);
    expect(approvesWithoutEnd({ data: of(false) })).toBe(false);
  });

  it('W4 what a token may read as such: bytes cut off at the end count as zeros, others are not looked at', () => {
    const data = approve(2n ** 256n - 1n);
    expect(approvesWithoutEnd({ data: data.slice(0, -2 * 20) as Hex })).toBe(true);
    expect(approvesWithoutEnd({ data: data.slice(0, 10 + 64 + 2) as Hex })).toBe(true);
    expect(approvesWithoutEnd({ data: data.slice(0, 10 + 64) as Hex })).toBe(false);
    expect(approvesWithoutEnd({ data: `${data}1234` })).toBe(true);
    expect(approvesWithoutEnd({ data: `${data.slice(0, 10)}ff${data.slice(12)}` as Hex })).toBe(true);
  });

  it('W4 other forms of multicall, and what cannot be read to its end', () => {
    expect(approvesWithoutEnd({ data: call('multicall(uint256, bytes[])', [9n, [approve(edge)]]) })).toBe(true);
    expect(approvesWithoutEnd({ data: call('multicall(bytes32, bytes[])', [bytes, [approve(edge)]]) })).toBe(true);
    expect(approvesWithoutEnd({ data: multicall().slice(0, 40) as Hex })).toBe(true);
    let deep = multicall(approve(1n));
    for (let level = 2; level <= 8; level += 1) deep = multicall(deep);
    expect(approvesWithoutEnd({ data: deep })).toBe(false);
    expect(approvesWithoutEnd({ data: multicall(deep) })).toBe(true);
  });

  it('default: other calls are none', () => {
    for (const data of ['0x', '0x1234', call('transfer(address, uint256)', [spender, edge])] as const)
      expect(approvesWithoutEnd({ data })).toBe(false);
  });
});
