import { launchpadAbi } from '@mintage/protocol';
import type { DecodedCall } from '@mintage/protocol/operations';
import { decodeFunctionData, type Hex, toFunctionSelector } from 'viem';
import type { PreparedCall } from '../chainClient.ts';

/**
 * Decodes a finished trade transaction from its bytes alone, by its own table of word offsets, so that what an answer
 * says about a call does not depend on what the encoder intended (threat W8).
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

/**
 * The Launchpad calls in a finished transaction, including those that follow a voucher in a multicall.
 *
 * @throws Error for any call that is not part of our trades and creations.
 */
export const decodeLaunchpadCalls = (call: PreparedCall): DecodedCall[] => {
  if (orderFunctions.has(call.data.slice(0, selectorLength))) return [decodeTradeCall(call)];
  const { to, data } = call;
  const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data });
  switch (functionName) {
    case 'multicall':
      return args[0].flatMap((inner) => decodeLaunchpadCalls({ to, data: inner }));
    case 'setReferrer': {
      const [{ user, referrer, deadline }, signature] = args;
      return [
        {
          contract: 'launchpad',
          to,
          function: functionName,
          args: {
            user: user.toLowerCase(),
            referrer: referrer.toLowerCase(),
            deadline: Number(deadline),
            signature,
          },
        },
      ];
    }
    case 'create': {
      const [{ name, symbol, uri, salt, poolType, deadline }] = args;
      return [
        {
          contract: 'launchpad',
          to,
          function: functionName,
          args: { name, symbol, uri, salt, poolType, deadline: Number(deadline) },
        },
      ];
    }
    default:
      throw new Error(`a prepared transaction holds a call of ${functionName}`);
  }
};

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

const addressAt = (data: string, index: number): Hex => {
  const word = wordAt(data, index);
  if (!word.startsWith('000000000000000000000000')) throw new Error('a prepared call holds a word that is no address');
  return `0x${word.slice(24)}`;
};
