import { decodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import type { Hex, StepBytes } from './readActions.ts';

/**
 * Approvals without an end, which nobody gets signed, with a budget or without: who holds one can empty the wallet at any
 * later time. Amounts from 2^128 on count as no end. Read more loosely than a token would read them, so that what a token
 * takes for an approval is one here too.
 */

const unlimited = 2n ** 128n;

/** Word of the amount by function; `flag`: anything but zero approves everything. */
const forms: ReadonlyMap<string, { word: number; flag?: true }> = new Map(
  (
    [
      ['approve(address,uint256)', { word: 1 }],
      ['increaseAllowance(address,uint256)', { word: 1 }],
      ['increaseApproval(address,uint256)', { word: 1 }],
      ['approveAndCall(address,uint256)', { word: 1 }],
      ['approveAndCall(address,uint256,bytes)', { word: 1 }],
      ['setApprovalForAll(address,bool)', { word: 1, flag: true }],
      // EIP-2612, and its older form.
      ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', { word: 2 }],
      ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', { word: 4, flag: true }],
      ['permitUsd(uint256,uint256,uint8,bytes32,bytes32)', { word: 0 }],
      // Permit2.
      ['approve(address,address,uint160,uint48)', { word: 2 }],
      ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', { word: 2 }],
    ] as const
  ).map(([signature, form]) => [toFunctionSelector(signature), form]),
);

const multicallAbi = parseAbi([
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function multicall(bytes32 blockHash, bytes[] calls)',
]);
const multicallSelectors: ReadonlySet<string> = new Set(multicallAbi.map((one) => toFunctionSelector(one)));
const deepest = 8;

/** True too for a multicall that cannot be read to its end. */
export const approvesWithoutEnd = ({ data }: Pick<StepBytes, 'data'>): boolean => approves(data, 0);

const approves = (data: Hex, depth: number): boolean => {
  const selector = data.slice(0, 10);
  if (multicallSelectors.has(selector)) {
    if (depth === deepest) return true;
    const inner = innerCalls(data);
    return inner === null || inner.some((call) => approves(call, depth + 1));
  }
  const form = forms.get(selector);
  if (form === undefined) return false;
  const word = wordAt(data, form.word);
  return form.flag ? word !== 0n : word >= unlimited;
};

const innerCalls = (data: Hex): readonly Hex[] | null => {
  try {
    const { args } = decodeFunctionData({ abi: multicallAbi, data });
    return args.length === 1 ? args[0] : args[1];
  } catch {
    return null;
  }
};

const wordDigits = 64;

/** Missing bytes count as zeros, as some tokens take them. */
const wordAt = (data: Hex, index: number): bigint => {
  const start = 10 + index * wordDigits;
  return BigInt(`0x${data.slice(start, start + wordDigits).padEnd(wordDigits, '0')}`);
};
