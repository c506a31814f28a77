import { decodeStrictly, type EvmDeployment, launchpadAbi, tokenBridgeAbi } from '@mintage/protocol';
import { type Hex, parseAbi, toFunctionSelector } from 'viem';
import type { Action } from '../policy/policy.ts';

/**
 * Reads from a transaction's bytes the actions that matter to a budget. Nothing is taken from what the API says about
 * them. Bytes that a standard encoder would not produce are not read, so that nothing can hide beside the readable
 * part.
 */

/** The bytes of a step that say what it does. */
export interface CallBytes {
  to: Hex;
  data: Hex;
}

const everything = 2n ** 256n - 1n;
/** Deepest nesting of multicalls that is read; ours have one level. */
const deepest = 4;

/** Functions of token contracts that move the sender's tokens. */
const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function increaseAllowance(address spender, uint256 added)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function setApprovalForAll(address operator, bool approved)',
]);
const movingSelectors: ReadonlySet<string> = new Set(tokenAbi.map((one) => toFunctionSelector(one)));

export const readActions = (
  { to, data }: CallBytes,
  { launchpad, tokenBridge }: Pick<EvmDeployment, 'launchpad' | 'tokenBridge'>,
): Action[] => {
  if (to === launchpad) return readLaunchpad(to, data, 1);
  return [to === tokenBridge && data !== '0x' ? readBridge(to, data) : readToken(to, data)];
};

const readLaunchpad = (to: Hex, data: Hex, depth: number): Action[] => {
  const selector = selectorOf(data);
  const unreadable: Action[] = [{ does: 'unreadable', to, selector }];
  const call = decodeStrictly(launchpadAbi, data);
  if (call === null) return unreadable;
  switch (call.functionName) {
    case 'buyExactIn':
    case 'buyExactOut':
    case 'sellExactIn':
    case 'sellExactOut': {
      const [{ token, amount, limit, recipient, builderBps }] = call.args;
      const kind = call.functionName;
      return [{ does: 'order', kind, token: lower(token), amount, limit, recipient: lower(recipient), builderBps }];
    }
    case 'multicall':
      return depth > deepest ? unreadable : call.args[0].flatMap((inner) => readLaunchpad(to, inner, depth + 1));
    case 'setReferrer':
      return [{ does: 'refer', user: lower(call.args[0].user) }];
    case 'withdraw':
      return [withdrawal(...call.args)];
    case 'withdrawBatch': {
      const [currencies, receiver, amounts] = call.args;
      if (currencies.length !== amounts.length) return [{ does: 'unknown', to, selector }];
      return currencies.map((currency, at) => withdrawal(currency, receiver, amounts[at] as bigint));
    }
    case 'create':
      return [{ does: 'create', salt: call.args[0].salt, poolType: call.args[0].poolType }];
    case 'permitUsd':
    case 'graduate':
    case 'collectTreasury':
    case 'collectPoolFees':
    case 'levelPool':
      return [{ does: 'nothing' }];
    default:
      return [{ does: 'unknown', to, selector }];
  }
};

const withdrawal = (currency: Hex, to: Hex, amount: bigint): Action => ({
  does: 'withdraw',
  currency: lower(currency),
  to: lower(to),
  amount: amount === everything ? 'everything' : amount,
});

/** A recipient that is no address of the EVM keeps its 32 bytes, which no budget lists. */
const readBridge = (to: Hex, data: Hex): Action => {
  const call = decodeStrictly(tokenBridgeAbi, data);
  switch (call?.functionName) {
    case 'send': {
      const [{ token, to: recipient, amount }, refundTo] = call.args;
      const there = /^0x0{24}/.test(recipient) ? (`0x${recipient.slice(26)}` as const) : recipient;
      return { does: 'cross', token: lower(token), to: lower(there), amount, refundTo: lower(refundTo) };
    }
    case 'announce':
      return { does: 'announce', token: lower(call.args[0]) };
    default:
      return { does: 'unknown', to, selector: selectorOf(data) };
  }
};

const readToken = (to: Hex, data: Hex): Action => {
  const selector = selectorOf(data);
  if (!movingSelectors.has(selector)) return { does: 'call', to, selector };
  const call = decodeStrictly(tokenAbi, data);
  switch (call?.functionName) {
    case 'approve':
      return { does: 'approve', token: to, spender: lower(call.args[0]), amount: call.args[1] };
    case 'transfer':
      return { does: 'transfer', token: to, to: lower(call.args[0]), amount: call.args[1] };
    case 'mint':
      return { does: 'mint', token: to, to: lower(call.args[0]) };
    case 'transferFrom':
      return { does: 'unknown', to, selector, recipient: lower(call.args[1]) };
    default:
      return { does: 'unknown', to, selector };
  }
};

const selectorOf = (data: Hex): Hex => data.slice(0, 10) as Hex;
const lower = (address: string): Hex => address.toLowerCase() as Hex;
