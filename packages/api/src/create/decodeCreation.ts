import { launchpadAbi } from '@mintage/protocol';
import type { DecodedCall } from '@mintage/protocol/operations';
import { decodeFunctionData } from 'viem';
import type { Address } from '../context.ts';
import { decodeTradeCall } from '../trade/decodeTrade.ts';

/**
 * The calls of a finished creation, read back from its bytes (threat W8).
 *
 * @throws Error for any call that a creation does not hold.
 */
export const decodeCreation = (to: Address, data: `0x${string}`): DecodedCall[] => {
  const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data });
  switch (functionName) {
    case 'multicall':
      return args[0].flatMap((inner) => decodeCreation(to, inner));
    case 'create': {
      const [{ name, symbol, uri, salt, poolType, deadline }] = args;
      return [
        {
          contract: 'launchpad',
          to,
          function: 'create',
          args: { name, symbol, uri, salt, poolType, deadline: Number(deadline) },
        },
      ];
    }
    case 'buyExactIn':
    case 'buyExactOut':
      return [decodeTradeCall({ to, data })];
    default:
      throw new Error(`a prepared creation holds a call of ${functionName}`);
  }
};
