import type { EvmDeployment } from '@mintage/protocol';
import { decodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { Approval } from '../policy/policy.ts';
import type { CallBytes } from './readActions.ts';

interface Form {
  /**
   * Positions of the arguments, in words after the selector. Without `spender` the called contract is the spender,
   * without `token` it is the token.
   */
  spender?: number;
  token?: number | 'usd';
  amount?: number;
  /** Position of a flag in place of an amount: any value but zero approves everything. */
  flag?: number;
  isPlain?: true;
}

const forms: ReadonlyMap<string, Form> = new Map(
  (
    [
      ['approve(address,uint256)', { spender: 0, amount: 1, isPlain: true }],
      ['increaseAllowance(address,uint256)', { spender: 0, amount: 1 }],
      ['increaseApproval(address,uint256)', { spender: 0, amount: 1 }],
      ['approveAndCall(address,uint256)', { spender: 0, amount: 1 }],
      ['approveAndCall(address,uint256,bytes)', { spender: 0, amount: 1 }],
      ['setApprovalForAll(address,bool)', { spender: 0, flag: 1 }],
      // ERC-6909.
      ['approve(address,uint256,uint256)', { spender: 0, amount: 2 }],
      ['setOperator(address,bool)', { spender: 0, flag: 1 }],
      // EIP-2612, and its older form.
      ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', { spender: 1, amount: 2 }],
      ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', { spender: 1, flag: 4 }],
      ['permitUsd(uint256,uint256,uint8,bytes32,bytes32)', { token: 'usd', amount: 0 }],
      // Permit2.
      ['approve(address,address,uint160,uint48)', { token: 0, spender: 1, amount: 2 }],
      ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', { token: 1, spender: 5, amount: 2 }],
    ] as const satisfies [string, Form][]
  ).map(([signature, form]) => [toFunctionSelector(signature), form]),
);

const multicallAbi = parseAbi([
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function multicall(bytes32 blockHash, bytes[] calls)',
]);
const multicallSelectors: ReadonlySet<string> = new Set(multicallAbi.map((one) => toFunctionSelector(one)));
const deepest = 8;

/** The approvals of a call; null for a multicall that cannot be read completely, whose approvals are unknown. */
export const readApprovals = ({ to, data }: CallBytes, { usd }: Pick<EvmDeployment, 'usd'>): Approval[] | null => {
  const found: Approval[] = [];
  return collect(data, 0) ? found : null;

  function collect(call: Hex, depth: number): boolean {
    const selector = call.slice(0, 10);
    if (multicallSelectors.has(selector)) {
      const inner = depth === deepest ? null : innerCalls(call);
      return inner !== null && inner.every((one) => collect(one, depth + 1));
    }
    const form = forms.get(selector);
    if (form !== undefined) found.push(approvalIn(call, form, { to, usd }));
    return true;
  }
};

const approvalIn = (call: Hex, form: Form, { to, usd }: { to: Hex; usd: Hex }): Approval => {
  const { spender, token, amount, flag, isPlain = false } = form;
  const amountOf = (): Approval['amount'] => {
    if (flag !== undefined) return wordAt(call, flag) === 0n ? 0n : 'all';
    return wordAt(call, amount as number);
  };
  return {
    token: typeof token === 'number' ? addressAt(call, token) : token === 'usd' ? usd : to,
    spender: spender === undefined ? to : addressAt(call, spender),
    amount: amountOf(),
    isPlain,
  };
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
const wordText = (data: Hex, index: number): string => {
  const start = 10 + index * wordDigits;
  return data.slice(start, start + wordDigits).padEnd(wordDigits, '0');
};
const wordAt = (data: Hex, index: number): bigint => BigInt(`0x${wordText(data, index)}`);
const addressAt = (data: Hex, index: number): Hex => `0x${wordText(data, index).slice(-40)}`;
