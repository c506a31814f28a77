import { type Abi, decodeFunctionData, encodeFunctionData, type Hex } from 'viem';

/**
 * A call by its bytes; null for functions that are not in the ABI, and for bytes that differ when they are encoded again, so
 * that nothing can hide beside the readable part.
 */
export const decodeStrictly = <const Functions extends Abi>(abi: Functions, data: Hex) => {
  try {
    const call = decodeFunctionData({ abi, data });
    return encodeFunctionData({ abi, ...call } as never) === data ? call : null;
  } catch {
    return null;
  }
};
