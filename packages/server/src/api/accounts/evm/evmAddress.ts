import { checksumRule, hasWrongChecksum, hexAddresses, invalid, parseHexAddress, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';

/**
 * A wallet that signs in, or is named in what a wallet signs: both are of the EVM.
 *
 * @param field - Path of the input field, for the refusal.
 * @throws INVALID_PARAMETERS.
 */
export const evmAddress = (text: string, field: string): Hex => {
  const address = parseHexAddress(text);
  if (address === null) throw invalid(field, hasWrongChecksum(text) ? checksumRule : hexAddresses.rule);
  return requireHex(address);
};
