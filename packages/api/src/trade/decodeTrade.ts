import type { DecodedCall } from '@mintage/protocol/operations';
import { toFunctionSelector } from 'viem';
import type { Address } from '../context.ts';
import type { PreparedCall } from './simulate.ts';

/**
 * Reads a finished trade transaction back from its bytes alone, by its own table of word offsets, so that what an answer
 * says about a call does not rest on what was meant when it was encoded (threat W8).
 */

const order =
  '(address token,uint256 amount,uint256 limit,address recipient,address builder,uint256 builderBps,address referral,uint256 deadline) order';

const orderFunctions: ReadonlyMap<string, string> = new Map(
  ['buyExactIn', 'buyExactOut', 'sellExactIn', 'sellExactOut'].map((name) => [
    toFunctionSelector(`function ${name}(${order})`),
    name,
  ]),
);
const approveSelector = toFunctionSelector('function approve(address spender,uint256 amount)');

const selectorLength = 10;
const wordLength = 64;

/** @throws Error for bytes that are no trade order and no approval: such a transaction must never leave the service. */
export const decodeTradeCall = ({ to, data }: PreparedCall): DecodedCall => {
  const selector = data.slice(0, selectorLength);
  const name = orderFunctions.get(selector);
  if (name !== undefined) {
    requireWords(data, 8);
    return {
      contract: 'launchpad',
      to,
      function: name,
      args: {
        token: addressAt(data, 0),
        amount: uintAt(data, 1),
        limit: uintAt(data, 2),
        recipient: addressAt(data, 3),
        builder: addressAt(data, 4),
        builderBps: Number(uintAt(data, 5)),
        referral: addressAt(data, 6),
        deadline: Number(uintAt(data, 7)),
      },
    };
  }
  if (selector === approveSelector) {
    requireWords(data, 2);
    return {
      contract: 'dollar token',
      to,
      function: 'approve',
      args: { spender: addressAt(data, 0), amount: uintAt(data, 1) },
    };
  }
  throw new Error(`a prepared transaction holds the unknown call ${selector}`);
};

const requireWords = (data: string, words: number): void => {
  if (data.length !== selectorLength + words * wordLength) throw new Error('a prepared call has the wrong length');
};

const wordAt = (data: string, index: number): string =>
  data.slice(selectorLength + index * wordLength, selectorLength + (index + 1) * wordLength);

/** A word below 2^52 is a number by itself; only larger ones take the longer way. */
const uintAt = (data: string, index: number): string => {
  const word = wordAt(data, index);
  return word.startsWith(zeros)
    ? Number.parseInt(word.slice(zeros.length), 16).toString()
    : BigInt(`0x${word}`).toString();
};

const zeros = '0'.repeat(wordLength - 13);

const addressAt = (data: string, index: number): Address => {
  const word = wordAt(data, index);
  if (!word.startsWith('000000000000000000000000')) throw new Error('a prepared call holds a word that is no address');
  return `0x${word.slice(24)}`;
};
