import { keccak256, stringToBytes } from 'viem';

/**
 * Whether a text is an EVM address whose capital letters are not those of EIP-55: a letter of it was mistyped or changed. In
 * letters of one case there is no checksum to be wrong.
 */
export const hasWrongChecksum = (text: string): boolean => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return false;
  const hash = keccak256(stringToBytes(lower)).slice(2);
  return [...digits].some(
    (digit, at) => digit !== (Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit.toLowerCase()),
  );
};

/** What is wrong with such an address, as a refusal says it. */
export const checksumRule =
  'has a wrong checksum: a letter of the address is wrong, so copy it again from where you have it';
